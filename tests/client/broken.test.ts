import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { withFolder } from "../black-box.ts";
import { type Damage, fatal, mute, truncatedSlightly } from "./damage.ts";
import { write } from "./model.ts";
import {
  copyBuild,
  DIST,
  guard,
  type Hook,
  type Outcome,
  readStart,
  runSession,
  type Wiring,
  wirings,
} from "./session.ts";

interface Attempt extends Outcome {
  readonly damage: Damage;
  readonly written: boolean;
}

/** For each damage, all in one session, has the client write outside the project with the executable so damaged. */
async function attempt(
  wiring: Wiring,
  damages: readonly Damage[],
  change: Partial<Hook> = {},
): Promise<Attempt[]> {
  return await withFolder({ "project/.git": null, "outside": null }, async (work) => {
    const hook = { ...guard(wiring, await copyBuild(work, wiring)), ...change };
    const tries = damages.map((damage) => {
      const path = join(work, "outside", damage.name);
      return { damage, path, call: write(path) };
    });
    const outcome = await runSession({
      folder: work,
      hook,
      turns: tries.map(({ call }) => [call]),
      async before([next]) {
        await Deno.remove(hook.command).catch(() => {});
        await Deno.copyFile(join(DIST, wiring.file), hook.command);
        await tries.find(({ call }) => call === next)?.damage.apply(hook.command);
      },
    });
    return await Promise.all(tries.map(async ({ damage, path, call }) => (
      { ...outcome(call), damage, written: await readStart(path) !== undefined }
    )));
  });
}

function checkRefused({ isError, text, hooks, written }: Attempt, says: string): void {
  assert(isError, text);
  assertStringIncludes(text, says);
  assertEquals(hooks.length, 1);
  assert(!written, "The file is there");
}

for (const wiring of wirings) {
  Deno.test(`claude with ${wiring.name}, its executable damaged`, async (test) => {
    for (const one of await attempt(wiring, fatal)) {
      await test.step(`${one.damage.name}: refused`, () =>
        checkRefused(one, "failed; blocking because onFailure is"));
    }
    for (const one of await attempt(wiring, [mute], { timeout: 1 })) {
      await test.step(`${one.damage.name}: refused`, () =>
        checkRefused(one, "timed out; blocking because onFailure is"));
    }
    for (const one of await attempt(wiring, [truncatedSlightly])) {
      await test.step(`${one.damage.name}: refused`, () => checkRefused(one, ""));
    }
  });
}

Deno.test("claude without onFailure writes where the guard is damaged", async (test) => {
  for (const one of await attempt(wirings[0]!, [...fatal, mute], { onFailure: "continue", timeout: 1 })) {
    await test.step(one.damage.name, () => {
      assert(!one.isError, one.text);
      assertEquals(one.hooks.length, 1);
      assert(one.written, "The file is not there");
    });
  }
});
