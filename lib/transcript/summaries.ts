/** What runners of tests print at their end. A line has to match as a whole, but for what surrounds it. */

/** What one runner prints, or several that print the same. */
interface Form {
  readonly runner: string;
  /** Lines that count what passed or failed. */
  readonly counts?: readonly RegExp[];
  /** Lines that say that some passed, without a number or with one that is none of failures. */
  readonly passes?: readonly RegExp[];
  /** Lines that say that some failed, or that all did not come to their end. */
  readonly failures?: readonly RegExp[];
}

const FORMS: readonly Form[] = [
  {
    runner: "deno test",
    counts: [/^(?:ok|FAILED) \| \d+ passed.*\| \d+ failed/],
    failures: [/^error: Test failed\b/],
  },
  {
    runner: "cargo test",
    counts: [
      /^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed/,
      /^(?:Summary \[.*?\]\s+)?\d+(?:\/\d+)? tests? run: \d+ passed/,
    ],
    failures: [/^error: test failed\b/],
  },
  {
    // With or without its rulers.
    runner: "pytest",
    counts: [
      /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun|subtests passed)(?:, )?)+ in [\d.]+\s?s/,
    ],
  },
  {
    runner: "unittest",
    failures: [/^FAILED \((?:failures|errors|unexpected successes|skipped|expected failures)=/],
  },
  {
    runner: "tox",
    passes: [/^congratulations :\)/, /^nox > Session tests?\b.* was successful/],
    failures: [/^evaluation failed :\(/, /^nox > Session tests?\b.* failed/],
  },
  {
    runner: "go test",
    counts: [/^DONE \d+ tests?(?:, \d+ \w+)* in /],
    passes: [/^ok\s+[^\s\d-]\S*\s+(?:\(cached\)|[\d.]+m?s)(?!.*\[no tests to run\])/, /^PASS$/],
    failures: [/^(?:--- FAIL: |FAIL\t|FAIL$|panic: test timed out)/],
  },
  {
    // Pest too.
    runner: "jest",
    counts: [
      /^Tests:\s+(?:\d+ \w+,\s+)*\d+ (?:total|passed|failed|skipped|todo|warnings?|incomplete|risky)\b/,
      /^Test Suites:\s+(?:\d+ \w+,\s+)*\d+ (?:of \d+ )?total$/,
    ],
  },
  {
    runner: "vitest",
    counts: [
      /^(?:Test Files|Tests|Errors)\s+(?:\d+ (?:passed|failed|skipped|todo|errors?|expected fail)(?: \| )?)+(?: \(\d+\))?$/,
    ],
  },
  {
    // And Cypress.
    runner: "mocha",
    counts: [/^\d+ (?:passing \(\d[\w .]*\)|failing)$/, /^[│|] (?:Passing|Failing):\s+\d+\s*[│|]$/],
    passes: [/^[✔√]\s+All specs passed!/],
    failures: [/^[✖×]\s+\d+ of \d+ failed/],
  },
  {
    runner: "karma",
    failures: [/^(?:.{1,80}: )?Executed \d+ of \d+ .*DISCONNECTED\b/],
    counts: [
      /^(?:.{1,80}: )?Executed \d+ of \d+ .*(?:SUCCESS|FAILED|ERROR)\b/,
      /^TOTAL: \d+ (?:SUCCESS|FAILED)/,
    ],
  },
  {
    // node:test, tape, whatever else speaks TAP.
    runner: "TAP",
    counts: [/^[#ℹ] (?:pass|fail|cancelled)\s+\d+$/],
    failures: [/^(?:Bail out!|not ok \d+(?!.*# (?:TODO|SKIP|todo|skip)))/],
  },
  { runner: "bun test", counts: [/^\d+ (?:pass|fail|errors?)$/] },
  {
    runner: "AVA",
    counts: [/^\d+ (?:tests? (?:passed|failed)|uncaught exceptions?|unhandled rejections?)$/],
  },
  {
    // RSpec, hspec, Cucumber; ExUnit and bats; minitest, test-unit.
    runner: "RSpec",
    counts: [
      /^(?:\d+ (?:properties|doctests?|examples?|tests?|runs|assertions|failures?|errors?|skips|skipped|pending|pendings|omissions|notifications|excluded|invalid|not run)(?:, |$))*(?:\d+ (?:failures?|errors?|pendings?|skips|skipped|omissions|notifications|excluded|invalid|errors? occurred outside of examples)(?:, |$| ?\())+/,
      /^\d+ scenarios? \((?:\d+ \w+(?:, )?)+\)$/,
    ],
  },
  {
    runner: "busted",
    counts: [/^\d+ success(?:es)? \/ \d+ failures? \/ \d+ errors?\b/],
  },
  {
    // PHPUnit; JUnit 4.
    runner: "PHPUnit",
    counts: [
      /^OK \(\d+ tests?(?:, \d+ assertions?)?\)$/,
      /^Tests: \d+, Assertions: \d+(?:, [A-Z][\w ]*: \d+)*\.?$/,
    ],
    failures: [/^(?:FAILURES!+|ERRORS!|There (?:was|were) \d+ (?:failures?|errors?):)$/],
  },
  {
    // Maven and JUnit 4; JUnit 5.
    runner: "Maven",
    counts: [
      /^(?:\[\w+\]\s+)?Tests run:\s+\d+,\s+Failures:\s+\d+/,
      /^\[\s+\d+ tests (?:successful|failed)\s+\]$/,
    ],
    failures: [/^(?:\[\w+\]\s+)?BUILD FAILURE$/],
  },
  {
    // Alone and with its logger.
    runner: "Gradle",
    counts: [
      /^\d+ tests? completed(?:, \d+ failed)?(?:, \d+ skipped)?$/,
      /^(?:SUCCESS|FAILURE): Executed \d+ tests? in /,
    ],
    failures: [/^(?:\[ERROR\] )?BUILD FAIL(?:ED|URE)\b/],
  },
  {
    runner: "bazel",
    counts: [/^Executed \d+ out of \d+ tests?: /],
    failures: [/^(?:INFO|ERROR): Build (?:completed, \d+ tests? FAILED|did NOT complete)/],
  },
  {
    // Of each age.
    runner: "dotnet test",
    counts: [
      /^(?:Passed|Failed)!\s+- Failed:\s+\d+, Passed:\s+\d+/,
      /^Test summary: total: \d+, failed: \d+, succeeded: \d+/,
    ],
    failures: [/^Test Run (?:Failed|Aborted)\./],
  },
  {
    runner: "XCTest",
    counts: [
      /^Executed \d+ tests?, with (?:\d+ tests? skipped and )?\d+ failures?/,
      /^(?:\S+ )?Test run with \d+ tests?(?: in \d+ suites?)? (?:passed|failed) after/,
    ],
    passes: [/^\*\* TEST SUCCEEDED \*\*/],
    failures: [/^\*\* TEST FAILED \*\*/],
  },
  { runner: "CTest", counts: [/^\d+% tests passed,\s+\d+ tests failed out of \d+/] },
  {
    // GoogleTest; Catch2, doctest.
    runner: "GoogleTest",
    counts: [/^\[ {2}(?:PASSED|FAILED) {2}\] \d+ tests?/],
  },
  {
    runner: "Catch2",
    counts: [
      /^All tests passed \(\d+ assertions? in \d+ test cases?\)$/,
      /^(?:\[doctest\] )?test cases:\s*\d+ \|/,
    ],
  },
  {
    runner: "meson",
    counts: [
      /^(?:Ok|Fail|Timeout|Unexpected Pass):\s+\d+$/,
      /^Ok:\s+\d+\s+(?:[A-Z][\w ]*:\s+\d+\s*)+$/,
    ],
  },
  {
    runner: "Playwright",
    counts: [
      /^\d+ (?:passed \([\d.]+\w+\)|failed|interrupted|did not run)$/,
      /^\d+ errors? (?:was|were) not a part of any test/,
    ],
  },
  {
    // And sbt.
    runner: "ScalaTest",
    counts: [
      /^(?:\[\w+\] )?Tests: succeeded \d+, failed \d+/,
      /^(?:\[\w+\] )?(?:Passed|Failed): Total \d+, Failed \d+, Errors \d+, Passed \d+/,
    ],
  },
  {
    // Zig, tasty, alcotest.
    runner: "zig",
    counts: [
      /^All \d+ tests passed(?:\.| \([\d.]+s\))$/,
      /^\d+ out of \d+ tests failed\b/,
      /^Build Summary: .*\btests passed\b/,
    ],
  },
  {
    runner: "alcotest",
    counts: [
      /^Test Successful in [\d.]+s\. \d+ tests? run\./,
      /^\d+ failures?! in [\d.]+s\. \d+ tests? run\./,
    ],
  },
  { runner: "testthat", counts: [/^\[ FAIL \d+ \| WARN \d+ \| SKIP \d+ \| PASS \d+ \]/] },
  {
    runner: "Julia",
    passes: [/^Testing \S+ tests passed$/],
    failures: [/^Test Summary:.*\|.*\b(?:Fail|Error)\b/, /^ERROR: .*Some tests did not pass/],
  },
  { runner: "Pester", counts: [/^Tests Passed: \d+, Failed: \d+/] },
  {
    runner: "prove",
    counts: [/^Files=\d+, Tests=\d+,/],
    passes: [/^All tests successful\.$/],
    failures: [/^Result: FAIL$/],
  },
  {
    runner: "Flutter",
    passes: [/^\d\d:\d\d \+[1-9]\d*(?: ~\d+)?: All tests passed!$/, /^🎉 [1-9]\d* tests? passed/],
    failures: [/^\d\d:\d\d (?:\+\d+ )?(?:~\d+ )?-\d+.*Some tests failed\.$/],
  },
  {
    runner: "elm-test",
    counts: [/^(?:Passed|Failed):\s+\d+$/],
    passes: [/^TEST RUN PASSED$/],
    failures: [/^TEST RUN (?:FAILED|INCOMPLETE)/],
  },
  {
    // Of many a runner that a project has made itself.
    runner: "ratio",
    counts: [
      /^(?:[^\w\s]+ )?(?:(?:[Tt]ests?|[Rr]esults?|[Ss]ummary|[Tt]otal): )?\d+\/\d+ (?:tests? |checks? |specs? )?(?:passed|passing|successful|PASSED)\b[.!]?(?: \([^()]*\)| in [\d.]+ ?m?s)?$/,
    ],
  },
];

/** The words beside a number that make it one of tests that failed, or that passed, or of all. */
const FAILED =
  /\b(\d+) (?:tests? |unit tests? )?(?:failed|failing|failures?|fails?|errors?|cancelled|interrupted|did not run|timed out|uncaught|unhandled|undefined|ambiguous|issues?|not run|invalid)\b(?!: *\d)|(?<!\bexpected )\b(?:fail|failed|failures|errors|failing|cancelled|timeout|unexpected pass)\s*[:= ]\s*(\d+)\b/gi;
const PASSED =
  /\b(\d+)(?:\/\d+)? (?:tests? )?(?:passed|passing|pass|passes|success|successes|successful|succeeded)\b(?!: *\d)|(?<!\bunexpected )\b(?:ok|pass|passed|passing|succeeded)\s*[: ]\s*(?:total )?(\d+)\b/gi;
const ALL =
  /\b(\d+) (?:doctests?|examples?|tests?|runs|scenarios?)\b|\b(?:tests|tests run|executed)\s*[:= ]\s*(\d+)\b|out of (\d+)/gi;
const SKIPPED = /\b(\d+) (?:tests? )?(?:skipped|skips|pending|excluded)\b|\bskipped: *(\d+)/gi;

function sum(line: string, pattern: RegExp): number | undefined {
  let total: number | undefined;
  for (const found of line.matchAll(pattern)) {
    total = (total ?? 0) + Number(found.slice(1).find((number) => number !== undefined));
  }
  return total;
}

/** How many a line of counts says have passed, and whether it says that some failed. */
function readCounts(line: string): { readonly passed: number; readonly failed: boolean } {
  const [, some, of] = RATIO.exec(line) ?? [];
  if (some !== undefined && some !== of) return { passed: 0, failed: true };
  const failed = (sum(line, FAILED) ?? 0) > 0 || /^(?:FAILED|FAILURE|Failed!)/.test(line) ||
    /\[ {2}FAILED/.test(line) || /Test run .* failed after/.test(line);
  const passed = sum(line, PASSED) ?? Math.max(0, (sum(line, ALL) ?? 0) - (sum(line, SKIPPED) ?? 0));
  return { passed, failed };
}

/** One that a line of counts has where all that were run have to have passed. */
const RATIO = /\b(\d+)\/(\d+) (?:tests? |checks? |specs? )?(?:passed|passing|successful)\b/i;

/** One pattern of many, for a line is soon found to match none of it. */
function anyOf(forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => source).join("|"));
}

/** The longest line that may be a summary, in UTF-16 units. */
const LENGTH = 400;

/** A word or sign that every such line has. */
const HINT =
  /pass|fail|test|ok\b|\bran\b|run|success|executed|error|\.\.\d|bail|example|scenario|cancel|reject|exception|timeout|congrat/i;

/** What colours a terminal. */
// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[0-9;?]*[A-Za-z]/g;

/** What the summaries in a text tell. */
export interface Summary {
  /** One test at least has passed, and none failed. */
  readonly passes: boolean;
  /** Some failed, or the run did not come to its end. */
  readonly fails: boolean;
  /** Whose summaries these are; where it fails, of those that tell so. */
  readonly runners: ReadonlySet<string>;
}

/** Whose line it is, which is of this kind. */
function runnerOf(line: string, kind: "counts" | "passes" | "failures"): string {
  return FORMS.find((form) => form[kind]?.some((pattern) => pattern.test(line)))?.runner ?? "";
}

let patterns: readonly RegExp[] | undefined;

/** What matches a line that tells of failures, of passes, and one that counts. */
function patternsOf(): readonly RegExp[] {
  return patterns ??= (["failures", "passes", "counts"] as const).map((kind) =>
    anyOf(FORMS.flatMap((form) => form[kind] ?? []))
  );
}

/**
 * Reads the summaries of test runners in a text. Knows the runners of Deno, Bun, Node, Rust, Go, Python, Ruby, PHP,
 * Java, .NET, Swift, C++, Dart, Elixir, Elm, Zig, Haskell, OCaml, Lua, R, Julia and PowerShell that most use, TAP, and
 * those of browsers and builders. Takes linear time.
 *
 * @param built Gradle was told to run tests, so that a build without failures is a run without.
 */
export function readSummary(text: string, built = false): Summary {
  const [failure, pass, count] = patternsOf();
  const clean = new Set<string>();
  const failing = new Set<string>();
  let passed = 0;
  let ran = 0;
  let planned = false;
  let listed = false;
  let gradle = built;
  let table = false;
  for (const raw of text.replace(COLOURS, "").split(/\r\n|[\r\n]/)) {
    const isRow = table;
    table = false;
    if (raw.length > LENGTH || !isRow && !HINT.test(raw)) continue;
    const line = raw.trim();
    if (failure?.test(line)) {
      failing.add(runnerOf(line, "failures"));
      continue;
    }
    const total = /^Ran (\d+) tests? in [\d.]+s$|^Ran (\d+) tests containing \d+ assertions\.$/.exec(line);
    if (total) ran = Number(total[1] ?? total[2]);
    else if (/^(?:OK(?: \([a-z ]+=.*\))?|0 failures, 0 errors\.)$/.test(line)) {
      if (ran > 0) clean.add("unittest");
      passed += ran;
    } else if (/^1\.\.[1-9]\d*(?: |$)/.test(line)) planned = true;
    else if (/^ok \d+\b(?!.*# (?:SKIP|TODO))/i.test(line)) listed = true;
    else if (/^> Task (?::[\w-]+)*:\w*[tT]est\w*(?: UP-TO-DATE| FROM-CACHE)?$/.test(line)) gradle = true;
    else if (/^BUILD SUCCESSFUL\b/.test(line)) {
      if (!gradle) continue;
      passed++;
      clean.add("Gradle");
    } else if (/^Test Summary:\s+\|\s+Pass\b/.test(line)) table = true;
    else if (isRow && /^[^|]*\|\s+[1-9]/.test(line)) {
      passed++;
      clean.add("Julia");
    } else if (pass?.test(line)) {
      passed++;
      clean.add(runnerOf(line, "passes"));
    } else if (count?.test(line)) {
      const counts = readCounts(line);
      const runner = runnerOf(line, "counts");
      (counts.failed ? failing : clean).add(runner);
      passed += counts.passed;
    }
  }
  if (planned && listed) clean.add("TAP");
  const fails = failing.size > 0;
  return {
    passes: !fails && (passed > 0 || planned && listed),
    fails,
    runners: fails ? failing : clean,
  };
}
