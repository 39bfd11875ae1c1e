import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  EVIDENCE_PATTERNS,
  findInEvidence,
  isOfEvidenceAlone,
  isPatternId,
} from "../../../lib/secrets/evidence.ts";
import { PATTERNS } from "../../../lib/secrets/patterns.ts";
import { scan } from "../../../lib/secrets/scan.ts";
import { SCAN_LIMIT } from "../../../lib/secrets/texts.ts";
import { expand } from "../../expand.ts";
import { allowed, cases, texts } from "./corpus.ts";
import { problems } from "./expression.ts";

const { patterns } = EVIDENCE_PATTERNS;
const ids = (text: string) => scan(text, EVIDENCE_PATTERNS).map(({ id }) => id);

/** What each way to read the texts finds: `<id> <field>:<line>`. */
function readings(...written: readonly string[]): string[][] {
  const found = findInEvidence(written.map((text, at) => ({ field: `${at}`, text, isCommand: false })));
  assert(!("reason" in found));
  return found.map((some) => some.map(({ id, text, line }) => `${id} ${text.field}:${line}`));
}

Deno.test("EVIDENCE_PATTERNS: the general table as it is, and then what counts in evidence alone", () => {
  assertEquals(patterns.slice(0, PATTERNS.length), PATTERNS);
  const more = patterns.slice(PATTERNS.length).map(({ id }) => id);
  assertEquals(new Set(more), new Set(["evidence-api-key"]));
  for (const { id } of patterns) assertEquals(isOfEvidenceAlone(id), more.includes(id), id);
});

Deno.test("EVIDENCE_PATTERNS: every expression takes linear time by how it is built, and has one group", () => {
  for (const { id, source } of patterns) {
    assertEquals(problems(source), [], id);
    const groups = source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, "").match(/\((?!\?)/g) ?? [];
    assertEquals(groups.length, 1, id);
  }
});

Deno.test("EVIDENCE_PATTERNS: a long text is read as a short one", () => {
  for (const filler of ["plain words\n".repeat(10_000), "viele Wörter …\n".repeat(10_000)]) {
    assertEquals(ids(filler), []);
    const secrets = expand("sk-{alnum:16}\nAPI_Key=hunter2\nghp_{alnum:20}\n");
    assertEquals(ids(filler + secrets + filler), ["sk-key", "evidence-api-key", "github-token"]);
    assertEquals(ids(`${filler}api_key: a1b2… api_key: •••• api_key: ***\n`), []);
    const beside = expand("api_key: {alnum:24}… api_key: ••••{alnum:24}\n");
    assertEquals(ids(filler + beside), ids(beside));
    assertEquals(ids(beside).length, 2);
  }
});

Deno.test("EVIDENCE_PATTERNS: an API key's value ends where what encloses it does", () => {
  const text = `{"api_key": "hunter2", "user": "ann"}`;
  const [found] = scan(text, EVIDENCE_PATTERNS);
  assert(found);
  assertEquals(text.slice(found.start, found.end), "hunter2");
});

Deno.test("EVIDENCE_PATTERNS: a repeated name does not hide the value behind it", () => {
  assertEquals(ids("api_key=***&api_key=hunter2"), ["evidence-api-key"]);
  assertEquals(ids("api_key: api_key: hunter2"), ["evidence-api-key"]);
});

Deno.test("findInEvidence: all that the general table finds, under the same name", () => {
  for (const { id, positives } of cases()) {
    for (const template of positives) {
      assertEquals(readings(`x\n${expand(template)}`)[0]?.[0]?.split(" ")[0], id, template);
    }
  }
});

Deno.test("findInEvidence: nothing in what honest files hold", () => {
  for (const { name, template } of allowed()) {
    for (let seed = 0; seed < 5; seed++) {
      assertEquals(readings(expand(template, seed)), [[], [], []], `${name}, ${seed}`);
    }
  }
});

Deno.test("findInEvidence: each way to read says the line of the text as it is written", () => {
  const [key, token] = [expand("{alnum:24}"), expand("ghp_{alnum:36}")];
  const text = `a\r\n${token}\r\n\u001b[1mgh\u200bp_${token.slice(4)}\u001b[0m\n\nid,api_key\n1,${key}\n`;
  assertEquals(readings("plain", text), [
    ["github-token 1:2"],
    ["github-token 1:2", "github-token 1:3"],
    ["evidence-api-key 1:6"],
  ]);
});

Deno.test("findInEvidence: a table ends where its rows do, and has keys under their head alone", () => {
  const [key, other] = [expand("{alnum:24}"), expand("{alnum:24:b}")];
  const inTables = (text: string) => readings(text)[2];
  assertEquals(inTables(`api_key,id\n${key},${other}\n***,${other}\n`), ["evidence-api-key 0:2"]);
  assertEquals(inTables(`api_key,id\n***,1\n\n${key},1\n`), []);
  assertEquals(inTables(`api_key,id\n***,1\nid,api_key\n1,${key}\n`), ["evidence-api-key 0:4"]);
  assertEquals(inTables(`api_key_id,id\n${key},1\n`), []);
  assertEquals(inTables(`  "api_key",\n  "${key}",\n`), []);
  assertEquals(inTables("api_key,id\n00000000-0000-0000-0000-000000000000,1\n"), []);
});

Deno.test("findInEvidence: texts up to the limit are scanned, however they are read, more is refused", () => {
  const full = `é${" ".repeat(SCAN_LIMIT - 1)}`;
  assertEquals(readings(full), [[], [], []]);
  assert("reason" in findInEvidence([{ field: "a", text: `${full} `, isCommand: false }]));
});

Deno.test("findInEvidence: does work that grows with the text, on text made to defeat it", () => {
  const units = [
    "api_key=",
    "api_key=xxxx",
    "api_key: [",
    "api_key|",
    "api key\n",
    "**",
    "<b ",
    "&quot;",
    "a,",
    "\u001b[",
  ];
  const time = (text: string) => {
    const from = performance.now();
    readings(text);
    return performance.now() - from;
  };
  for (const unit of units) {
    time(unit.repeat(1_000));
    const [small, large] = [10_000, 80_000].map((count) => time(unit.repeat(count))) as [number, number];
    // Eight times the text: a square would take 64 times as long.
    assert(large < 24 * small + 200, `${JSON.stringify(unit)}: ${small} ms, then ${large} ms`);
  }
});

Deno.test("findInEvidence: total", () => {
  const piece = fc.constantFrom(...texts().map(({ text }) => text).filter(({ length }) => length < 500));
  const name = fc.constantFrom(
    "api_key",
    "API key",
    "|",
    ",",
    "\n",
    "\t",
    "**",
    "\u001b[31m",
    "***",
    "…",
    "<td>",
    "is ",
    "=",
  );
  const text = fc.array(fc.oneof(piece, name, fc.string({ unit: "binary" }))).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (text) => {
      const lines = text.split(/\r\n|[\r\n]/).length;
      for (const found of readings(text).flat()) assert(Number(found.split(":")[1]) <= lines, found);
    }),
    { numRuns: 500 },
  );
});

Deno.test("isPatternId: of both tables", () => {
  for (const id of ["evidence-api-key", "sk-key", "json-web-token"]) assert(isPatternId(id), id);
  for (const id of ["", "jwt", "toString"]) assert(!isPatternId(id), id);
});
