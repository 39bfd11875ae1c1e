import { assert, assertEquals } from "@std/assert";
import { EVIDENCE_PATTERNS, isPatternId } from "../../../lib/secrets/evidence.ts";
import { PATTERNS } from "../../../lib/secrets/patterns.ts";
import { scan } from "../../../lib/secrets/scan.ts";
import { expand } from "../../expand.ts";
import { problems } from "./expression.ts";

const { patterns } = EVIDENCE_PATTERNS;
const ids = (text: string) => scan(text, EVIDENCE_PATTERNS).map(({ id }) => id);

Deno.test("EVIDENCE_PATTERNS: those that it shares are the general table's, in its order", () => {
  const shared = patterns.filter((pattern) => PATTERNS.includes(pattern));
  assertEquals(shared.length, patterns.length - 1);
  assertEquals(shared, PATTERNS.filter((pattern) => patterns.includes(pattern)));
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

Deno.test("isPatternId: of both tables", () => {
  for (const id of ["evidence-api-key", "sk-key", "json-web-token"]) assert(isPatternId(id), id);
  for (const id of ["", "jwt", "toString"]) assert(!isPatternId(id), id);
});
