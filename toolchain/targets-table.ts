/** What came of running suites on targets, counted and as a table. */

/** What came of a suite of tests on a target. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Left out, so that a suite ends in time under emulation. */
  readonly ignored: number;
}

/** What came of a suite on a target: the counts, or why it was not run. */
export type Result = Counts | { readonly why: string };

/** A row of the table: a target, and what came of each suite that was asked for. */
export interface Row {
  readonly target: string;
  /** What it ran by and on; empty where it did not run. */
  readonly by: string;
  readonly results: Readonly<Record<string, Result>>;
}

/**
 * Counts the tests of a JUnit report, as `deno test` writes it, that have a text in their name. Those that a filter left
 * out are in the report, too.
 *
 * @throws {Error} Where no such test was run.
 */
export function countTests(junit: string, text: string): Counts {
  const tests = junit.split("<testcase ").slice(1)
    .filter((test) => /^name="([^"]*)"/.exec(test)?.[1]?.includes(text));
  const having = (tag: string) => tests.filter((test) => test.includes(`<${tag}`)).length;
  const [failed, ignored] = [having("failure"), having("skipped")];
  const passed = tests.length - failed - ignored;
  if (passed + failed === 0) throw new Error("No test was run");
  return { passed, failed, ignored };
}

/**
 * The names that a list asks for, apart by commas or spaces; all of them where it is empty.
 *
 * @throws {Error} Where one of them is not known.
 */
export function choose(list: string, known: readonly string[]): readonly string[] {
  const asked = list.split(/[\s,]+/).filter((name) => name !== "");
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}; there are ${known.join(", ")}`);
  return asked.length === 0 ? known : known.filter((name) => asked.includes(name));
}

/** What a cell of the table says. */
export function cell(result: Result): string {
  if ("why" in result) return "cannot be run";
  const { passed, failed, ignored } = result;
  const run = passed + failed;
  const of = ignored > 0 ? ` of ${run + ignored}` : "";
  return failed > 0 ? `FAILED ${failed} of ${run} run${of}` : `passed ${run}${of}`;
}

/** Whether nothing that ran has failed. */
export function allPassed(rows: readonly Row[]): boolean {
  return rows.every(({ results }) =>
    Object.values(results).every((result) => "why" in result || result.failed === 0)
  );
}

/** The table in Markdown, and below it what each target ran by, or why it did not. */
export function table(rows: readonly Row[], suites: readonly string[]): string {
  const lines = [
    ["target", ...suites],
    ["--", ...suites.map(() => "--")],
    ...rows.map(({ target, results }) => [
      target,
      ...suites.map((suite) => results[suite] ? cell(results[suite]) : ""),
    ]),
  ];
  const notes = rows.flatMap(({ target, by, results }) => {
    const whys = Object.entries(results).flatMap(([suite, result]) =>
      "why" in result ? [{ suite, why: result.why }] : []
    );
    const reasons = [...new Set(whys.map(({ why }) => why))].map((why) => {
      const those = whys.filter((one) => one.why === why).map(({ suite }) => suite);
      return `${those.length === suites.length ? "cannot be run" : `cannot run ${those.join(", ")}`}: ${why}`;
    });
    const text = [by, ...reasons].filter((part) => part !== "").join("; ");
    return text === "" ? [] : [`- ${target}: ${text}`];
  });
  return `${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n\n${notes.join("\n")}\n`;
}
