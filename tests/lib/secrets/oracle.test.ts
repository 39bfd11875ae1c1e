import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { scan } from "../../../lib/secrets/scan.ts";
import { texts } from "./corpus.ts";
import { secretlint } from "./oracle.ts";

/** Differences of one kind: what one of the two finds in these texts and the other does not, and why. */
interface Difference {
  readonly reason: string;
  readonly only: "ours" | "theirs";
  readonly what: string;
  readonly texts: readonly string[];
}

const listed: Difference[] = JSON.parse(
  Deno.readTextFileSync(new URL("../../cases/secrets-oracle.json", import.meta.url)),
);

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Those of a list that touch none of the other. */
function without<One extends Range>(some: readonly One[], others: readonly Range[]): One[] {
  return some.filter(({ start, end }) => !others.some((other) => start < other.end && other.start < end));
}

/** `only what: text` for everything that one of the two finds alone. */
async function differences(): Promise<string[]> {
  const found: string[] = [];
  for (const { name, text } of texts()) {
    const ours = scan(text);
    const theirs = await secretlint(text);
    for (const { id } of without(ours, theirs)) found.push(`ours ${id}: ${name}`);
    for (const { what } of without(theirs, ours)) found.push(`theirs ${what}: ${name}`);
  }
  return [...new Set(found)].sort();
}

Deno.test("scan: differs from secretlint as listed, each time for the reason given, and nowhere else", async () => {
  const expected = listed.flatMap(({ only, what, texts }) => texts.map((text) => `${only} ${what}: ${text}`));
  assertEquals(expected.length, new Set(expected).size, "a difference is listed twice");
  assertEquals(await differences(), expected.sort());
});

Deno.test("scan: every listed difference from secretlint has a reason of its own", () => {
  for (const { reason, only, what, texts } of listed) {
    assert(reason.length > 20, what);
    assert(["ours", "theirs"].includes(only) && texts.length > 0, what);
  }
});

Deno.test("secretlint: finds nothing in the table and its cases as they are stored", async () => {
  for (const folder of ["../../../lib/secrets", "../../cases/secrets", "../../cases/secrets-allowed", "."]) {
    const path = fromFileUrl(new URL(folder, import.meta.url));
    for (const { name } of Deno.readDirSync(path)) {
      const found = await secretlint(Deno.readTextFileSync(`${path}/${name}`));
      assertEquals(found.map(({ what }) => what), [], name);
    }
  }
  assertEquals(await secretlint(JSON.stringify(listed)), []);
});
