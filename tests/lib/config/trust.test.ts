import { assertEquals } from "@std/assert";
import { isUsersOwn, type Origin } from "../../../lib/config/trust.ts";

const outside: Origin = {
  folder: ["/home/ann/.config/nonzero", "/home/ann/.config/nonzero/config.json"],
  writable: ["/home/ann/code"],
  isDefault: true,
  home: "/home/ann",
  account: () => undefined,
  platform: "linux",
};
const dotfiles: Origin = { ...outside, writable: ["/home/ann"], account: () => "/home/ann" };

Deno.test("isUsersOwn: out of the agent's reach it is", () => assertEquals(isUsersOwn(outside), true));

Deno.test("isUsersOwn: out of the agent's reach it is, wherever a variable puts it", () =>
  assertEquals(isUsersOwn({ ...outside, isDefault: false, home: undefined }), true));

Deno.test("isUsersOwn: within reach it is in the account's own home", () =>
  assertEquals(isUsersOwn(dotfiles), true));

Deno.test("isUsersOwn: within reach a variable proves nothing", () =>
  assertEquals(isUsersOwn({ ...dotfiles, isDefault: false }), false));

Deno.test("isUsersOwn: within reach another home proves nothing", () =>
  assertEquals(isUsersOwn({ ...dotfiles, account: () => "/home/bob" }), false));

Deno.test("isUsersOwn: within reach an unknown account proves nothing", () => {
  assertEquals(isUsersOwn({ ...dotfiles, account: () => undefined }), false);
  assertEquals(isUsersOwn({ ...dotfiles, account: () => undefined, home: undefined }), false);
});

Deno.test("isUsersOwn: one file within reach is enough to doubt it", () =>
  assertEquals(
    isUsersOwn({ ...outside, folder: ["/etc/nonzero", "/home/ann/code/config.json"], isDefault: false }),
    false,
  ));
