import { assert, assertEquals } from "@std/assert";
import { scan } from "../../../lib/secrets/scan.ts";
import { expand } from "../../expand.ts";
import { allowed } from "./corpus.ts";

for (const { name, template } of allowed()) {
  Deno.test(`scan: finds nothing in ${name}`, () => {
    // Chance may not decide: what is filled in is tried in several ways.
    for (let seed = 0; seed < 20; seed++) {
      const text = expand(template, seed);
      const found = scan(text).map(({ id, line, start, end }) =>
        `${id} in line ${line}: ${text.slice(start, end)}`
      );
      assertEquals(found, []);
    }
  });
}

Deno.test("scan: finds nothing in a file without an end of line, nor in one with CRLF", () => {
  assert(allowed().length > 30);
  for (const { name, template } of allowed()) {
    const text = expand(template);
    assertEquals(scan(text.replaceAll("\n", "\r\n")), [], name);
    assertEquals(scan(text.replaceAll("\n", " ")), [], name);
    assertEquals(scan(JSON.stringify(text)), [], name);
  }
});
