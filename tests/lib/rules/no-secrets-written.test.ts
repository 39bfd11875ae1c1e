import { assertEquals, assertMatch } from "@std/assert";
import { noSecretsWritten, SCAN_LIMIT } from "../../../lib/rules/no-secrets-written.ts";
import { facts } from "./facts.ts";

Deno.test("noSecretsWritten: text up to the limit is scanned, more is refused", () => {
  const check = (...texts: string[]) =>
    noSecretsWritten.check(facts({ texts: texts.map((text) => ({ field: "content", text })) }));
  const full = " ".repeat(SCAN_LIMIT);
  assertEquals(check(full), []);
  assertMatch(JSON.stringify(check(full, " ")), /"the text is larger than the 8 MiB/);
});
