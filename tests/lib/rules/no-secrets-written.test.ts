import { assertEquals, assertMatch } from "@std/assert";
import { noSecretsWritten } from "../../../lib/rules/no-secrets-written.ts";
import { SCAN_LIMIT } from "../../../lib/secrets/texts.ts";
import { facts } from "./facts.ts";

Deno.test("noSecretsWritten: text up to the limit is scanned, more is refused", () => {
  const check = (...texts: string[]) =>
    noSecretsWritten.check(
      facts({ texts: texts.map((text) => ({ field: "content", text, isCommand: false })) }),
    );
  const full = " ".repeat(SCAN_LIMIT);
  assertEquals(check(full), []);
  assertMatch(JSON.stringify(check(full, " ")), /"the text is larger than the 8 MiB/);
});
