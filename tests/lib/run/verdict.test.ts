/** What a gate says, to people, programs and the runners of CI. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { GateFinding } from "../../../lib/contract/gate.ts";
import { complain, inert, toJson } from "../../../lib/run/verdict.ts";
import { postCode } from "../../../gates/post-code.ts";

/** What GitHub's runner obeys in a line of output: `::name …::` at its beginning, `##[name …]` anywhere. */
function commandIn(
  line: string,
): { name: string; properties: Record<string, string>; data: string } | undefined {
  const modern = /^\s*::([^ :]+)(?: ((?:(?!::).)*))?::(.*)$/s.exec(line);
  const unescape = (text: string, ...pairs: readonly (readonly [string, string])[]) =>
    pairs.reduce((rest, [escaped, plain]) => rest.replaceAll(escaped, plain), text);
  const data = [["%0D", "\r"], ["%0A", "\n"], ["%25", "%"]] as const;
  const property = [["%3A", ":"], ["%2C", ","], ...data] as const;
  if (modern) {
    const properties = (modern[2] ?? "").split(",").filter((pair) => pair !== "").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), unescape(pair.slice(at + 1), ...property)];
    });
    const name = modern[1] ?? "";
    return { name, properties: Object.fromEntries(properties), data: unescape(modern[3] ?? "", ...data) };
  }
  const old = /##\[([^\] ]+)/.exec(line) ?? /##(?:vso|teamcity)\[/.exec(line);
  return old ? { name: old[0], properties: {}, data: "" } : undefined;
}

const awkward = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.array(
    fc.constantFrom(
      "::",
      ":",
      ",",
      "%",
      "%0A",
      "%25",
      "\r",
      "\n",
      "##[",
      "##",
      "#",
      "]",
      "##vso[",
      "error",
      "\u2028",
      "=",
      " ",
    ),
  ).map((parts) => parts.join("")),
);
const finding = fc.record({
  id: fc.constantFrom("malformed", "private-key", "git", "usage", "broken", "constructor"),
  exit: fc.constantFrom<64 | 65 | 70>(64, 65, 70),
  message: awkward,
  file: awkward,
  line: fc.nat(),
}, { requiredKeys: ["id", "exit", "message"] }) as fc.Arbitrary<GateFinding>;
const findings = fc.array(finding, { minLength: 1, maxLength: 4 });

Deno.test("complain: one line a finding, then how to recover, whatever they quote", () => {
  fc.assert(fc.property(findings, (findings) => {
    const lines = complain(postCode, findings, false).split("\n");
    assertEquals(lines.pop(), "");
    findings.forEach((_, index) => assert(lines[index]?.startsWith("post-code: "), lines[index]));
    const rest = lines.slice(findings.length);
    assert(rest.length >= 1 && rest.every((line) => /^(?:To recover: |Run post-code --help )/.test(line)));
  }));
});

Deno.test("complain: no line is a command to a runner but the annotations", () => {
  fc.assert(
    fc.property(findings, (findings) => {
      const plain = complain(postCode, findings, false);
      for (const line of plain.split(/[\r\n\u0085\u2028\u2029]/)) {
        assertEquals(commandIn(line), undefined, line);
      }
      const annotated = complain(postCode, findings, true);
      assertEquals(annotated.slice(0, plain.length), plain);
      assert(!annotated.includes("##"), annotated);
      assertEquals(annotated.slice(plain.length).split("\n").length - 1, findings.length);
    }),
    { numRuns: 500 },
  );
});

Deno.test("complain: an annotation tells GitHub the file, the line and the message", () => {
  fc.assert(
    fc.property(finding, (finding) => {
      const line = complain(postCode, [finding], true).split("\n").at(-2) ?? "";
      const command = commandIn(line);
      assertEquals(command?.name, "error");
      const { file, line: number, title, ...others } = command?.properties ?? {};
      assertEquals(others, {});
      assertEquals(title, "post-code");
      assertEquals(number, finding.line === undefined ? undefined : String(finding.line));
      const said = complain(postCode, [finding], false).split("\n")[0]?.replaceAll("#\\u{23}", "##");
      const where = file === undefined ? "" : `${file}:${number === undefined ? "" : `${number}:`} `;
      assertEquals(`post-code: ${where}${command?.data}`.replaceAll("#\\u{23}", "##"), said);
    }),
    { numRuns: 500 },
  );
});

Deno.test("complain: an annotation, letter by letter", () => {
  const text = complain(postCode, [{
    id: "malformed",
    exit: 65,
    message: "50%, a:b",
    file: "C:\\a,b%.txt",
    line: 3,
  }], true);
  assertEquals(
    text.trimEnd().split("\n").at(-1),
    "::error file=C%3A\\a%2Cb%25.txt,line=3,title=post-code::50%25, a:b",
  );
});

Deno.test("complain: nothing where nothing was found", () => assertEquals(complain(postCode, [], true), ""));

Deno.test("complain: a long file name leaves the reason and the line", () => {
  const text = complain(postCode, [{
    id: "unreadable",
    exit: 65,
    message: "does not exist",
    file: "n".repeat(5_000),
  }], false);
  assert(text.split("\n")[0]?.endsWith("\u2026: does not exist"));
});

Deno.test("complain: no secret is printed", () => {
  const secret = `ghp_${"aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1cF3"}`;
  const finding: GateFinding = { id: "not-passed", exit: 70, message: `status is "${secret}"`, file: secret };
  assert(!complain(postCode, [finding], true).includes(secret));
  assert(!toJson(postCode, [finding], { exit: 70, dryRun: false }).includes(secret));
});

Deno.test("toJson: always the same keys, in one line that no runner obeys", () => {
  fc.assert(fc.property(findings, fc.boolean(), (findings, dryRun) => {
    const text = toJson(postCode, findings, { exit: 65, dryRun });
    assertEquals(text.indexOf("\n"), text.length - 1);
    assertEquals(commandIn(text), undefined);
    const verdict = JSON.parse(text);
    assertEquals(Object.keys(verdict), ["gate", "version", "exit", "decision", "dryRun", "findings"]);
    assertEquals([verdict.gate, verdict.exit, verdict.decision, verdict.dryRun], [
      "post-code",
      65,
      "fail",
      dryRun,
    ]);
    verdict.findings.forEach((shown: Record<string, unknown>, index: number) => {
      assertEquals(Object.keys(shown), ["id", "message", "file", "line", "declaration"]);
      assertEquals(shown.id, findings[index]?.id);
      assertEquals(shown.line, findings[index]?.line ?? null);
      assertEquals(shown.file === null, findings[index]?.file === undefined);
    });
  }));
});

Deno.test("toJson: a pass", () =>
  assertEquals(JSON.parse(toJson(postCode, [], { exit: 0, dryRun: true })).decision, "pass"));

Deno.test("inert: leaves alone what no runner obeys", () => {
  for (const text of ["a # b", "#1", "C::D", "[x]"]) assertEquals(inert(text), text);
});
