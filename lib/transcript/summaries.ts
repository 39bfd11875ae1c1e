/** What runners of tests print at their end. A line has to match as a whole, but for what surrounds it. */

/** Lines that count what passed or failed. */
const COUNTS: readonly RegExp[] = [
  // deno test
  /^(?:ok|FAILED) \| \d+ passed.*\| \d+ failed/,
  // cargo test; cargo nextest
  /^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed/,
  /^(?:Summary \[.*?\]\s+)?\d+(?:\/\d+)? tests? run: \d+ passed/,
  // pytest, with or without its rulers
  /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun|subtests passed)(?:, )?)+ in [\d.]+\s?s/,
  // jest; vitest; Pest
  /^Tests:\s+(?:\d+ \w+,\s+)*\d+ (?:total|passed|failed|skipped|todo|warnings?|incomplete|risky)\b/,
  /^Test Suites:\s+(?:\d+ \w+,\s+)*\d+ (?:of \d+ )?total$/,
  /^(?:Test Files|Tests|Errors)\s+(?:\d+ (?:passed|failed|skipped|todo|errors?|expected fail)(?: \| )?)+(?: \(\d+\))?$/,
  // mocha and Cypress
  /^\d+ (?:passing \(\d[\w .]*\)|failing)$/,
  /^[│|] (?:Passing|Failing):\s+\d+\s*[│|]$/,
  // node:test, tape
  /^[#ℹ] (?:pass|fail|cancelled)\s+\d+$/,
  // bun test; AVA
  /^\d+ (?:pass|fail|errors?)$/,
  /^\d+ (?:tests? (?:passed|failed)|uncaught exceptions?|unhandled rejections?)$/,
  // RSpec, hspec, Cucumber; ExUnit and bats; minitest, test-unit
  /^(?:\d+ (?:properties|doctests?|examples?|tests?|runs|assertions|failures?|errors?|skips|skipped|pending|pendings|omissions|notifications|excluded|invalid|not run)(?:, |$))*(?:\d+ (?:failures?|errors?|pendings?|skips|skipped|omissions|notifications|excluded|invalid|errors? occurred outside of examples)(?:, |$| ?\())+/,
  /^\d+ scenarios? \((?:\d+ \w+(?:, )?)+\)$/,
  // PHPUnit; JUnit 4
  /^OK \(\d+ tests?(?:, \d+ assertions?)?\)$/,
  /^Tests: \d+, Assertions: \d+(?:, [A-Z][\w ]*: \d+)*\.?$/,
  // Maven and JUnit 4; JUnit 5
  /^(?:\[\w+\]\s+)?Tests run:\s+\d+,\s+Failures:\s+\d+/,
  /^\[\s+\d+ tests (?:successful|failed)\s+\]$/,
  // Gradle, alone and with its logger
  /^\d+ tests? completed(?:, \d+ failed)?(?:, \d+ skipped)?$/,
  /^(?:SUCCESS|FAILURE): Executed \d+ tests? in /,
  // dotnet test, of each age
  /^(?:Passed|Failed)!\s+- Failed:\s+\d+, Passed:\s+\d+/,
  /^Test summary: total: \d+, failed: \d+, succeeded: \d+/,
  /^(?:Passed|Failed):\s+\d+$/,
  // XCTest; swift-testing
  /^Executed \d+ tests?, with (?:\d+ tests? skipped and )?\d+ failures?/,
  /^(?:\S+ )?Test run with \d+ tests?(?: in \d+ suites?)? (?:passed|failed) after/,
  // CTest; GoogleTest; Catch2, doctest
  /^\d+% tests passed,\s+\d+ tests failed out of \d+/,
  /^\[ {2}(?:PASSED|FAILED) {2}\] \d+ tests?/,
  /^All tests passed \(\d+ assertions? in \d+ test cases?\)$/,
  /^(?:\[doctest\] )?test cases:\s*\d+ \|/,
  // Playwright
  /^\d+ (?:passed \([\d.]+\w+\)|failed|interrupted|did not run)$/,
  /^\d+ errors? (?:was|were) not a part of any test/,
  // ScalaTest; sbt; Zig; prove; gotestsum
  /^(?:\[\w+\] )?Tests: succeeded \d+, failed \d+/,
  /^(?:\[\w+\] )?(?:Passed|Failed): Total \d+, Failed \d+, Errors \d+, Passed \d+/,
  /^All \d+ tests passed\.$/,
  /^Files=\d+, Tests=\d+,/,
  /^DONE \d+ tests?(?:, \d+ \w+)* in /,
];

/** Lines that say that some passed, without a number or with one that is none of failures. */
const PASSES: readonly RegExp[] = [
  // go test
  /^ok\s+[^\s\d-]\S*\s+(?:\(cached\)|[\d.]+m?s)(?!.*\[no tests to run\])/,
  /^PASS$/,
  /^\d\d:\d\d \+[1-9]\d*(?: ~\d+)?: All tests passed!$/,
  /^🎉 [1-9]\d* tests? passed/,
  /^TEST RUN PASSED$/,
  /^\*\* TEST SUCCEEDED \*\*/,
  /^[✔√]\s+All specs passed!/,
  /^All tests successful\.$/,
];

/** Lines that say that some failed, or that all did not come to their end. */
const FAILURES: readonly RegExp[] = [
  /^(?:--- FAIL: |FAIL\t|FAIL$|panic: test timed out)/,
  /^(?:error: test failed|error: Test failed)\b/,
  /^FAILED \((?:failures|errors|unexpected successes|skipped|expected failures)=/,
  /^(?:FAILURES!+|ERRORS!|There (?:was|were) \d+ (?:failures?|errors?):)$/,
  /^\d\d:\d\d (?:\+\d+ )?(?:~\d+ )?-\d+.*Some tests failed\.$/,
  /^(?:\[ERROR\] )?BUILD FAIL(?:ED|URE)\b/,
  /^(?:\[\w+\]\s+)?BUILD FAILURE$/,
  /^TEST RUN (?:FAILED|INCOMPLETE)/,
  /^\*\* TEST FAILED \*\*/,
  /^[✖×]\s+\d+ of \d+ failed/,
  /^Result: FAIL$/,
  /^(?:Bail out!|not ok \d+(?!.*# (?:TODO|SKIP|todo|skip)))/,
  /^Test Run (?:Failed|Aborted)\./,
];

/** The words beside a number that make it one of tests that failed, or that passed, or of all. */
const FAILED =
  /\b(\d+) (?:tests? |unit tests? )?(?:failed|failing|failures?|fail|errors?|cancelled|interrupted|did not run|timed out|uncaught|unhandled|undefined|ambiguous|issues?|not run|invalid)\b|\b(?:fail|failed|failures|errors|failing|cancelled)\s*[:= ]\s*(\d+)\b/gi;
const PASSED =
  /\b(\d+)(?:\/\d+)? (?:tests? )?(?:passed|passing|pass|successful|succeeded)\b|\b(?:pass|passed|passing|succeeded)\s*[: ]\s*(?:total )?(\d+)\b/gi;
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
  const failed = (sum(line, FAILED) ?? 0) > 0 || /^(?:FAILED|FAILURE|Failed!)/.test(line) ||
    /\[ {2}FAILED/.test(line) || /Test run .* failed after/.test(line);
  const passed = sum(line, PASSED) ?? Math.max(0, (sum(line, ALL) ?? 0) - (sum(line, SKIPPED) ?? 0));
  return { passed, failed };
}

/** One pattern of many, for a line is soon found to match none of it. */
function anyOf(forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => source).join("|"));
}

/** The longest line that may be a summary, in UTF-16 units. */
const LENGTH = 400;

/** A word or sign that every such line has. */
const HINT =
  /pass|fail|test|ok\b|\bran\b|run|success|executed|succe|error|\.\.\d|bail|example|scenario|cancel|reject|exception/i;

/** What colours a terminal. */
// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[0-9;?]*[A-Za-z]/g;

/**
 * Whether a text bears the summary of a test runner and no summary in it tells of a failure: one test at least has
 * passed, and none failed. Knows the runners of Deno, Bun, Node, Rust, Go, Python, Ruby, PHP, Java, .NET, Swift, C++,
 * Dart, Elixir and Elm that most use, TAP, and those of browsers. Takes linear time.
 */
export function bearsPass(text: string): boolean {
  const [failure, pass, count] = [anyOf(FAILURES), anyOf(PASSES), anyOf(COUNTS)];
  let passed = 0;
  let ran = 0;
  let planned = false;
  let listed = false;
  let gradle = false;
  for (const raw of text.replace(COLOURS, "").split(/\r\n|[\r\n]/)) {
    if (raw.length > LENGTH || !HINT.test(raw)) continue;
    const line = raw.trim();
    if (failure.test(line)) return false;
    const total = /^Ran (\d+) tests? in [\d.]+s$|^Ran (\d+) tests containing \d+ assertions\.$/.exec(line);
    if (total) ran = Number(total[1] ?? total[2]);
    else if (/^(?:OK(?: \([a-z ]+=.*\))?|0 failures, 0 errors\.)$/.test(line)) passed += ran;
    else if (/^1\.\.[1-9]\d*(?: |$)/.test(line)) planned = true;
    else if (/^ok \d+\b(?!.*# (?:SKIP|TODO))/i.test(line)) listed = true;
    else if (/^> Task (?::[\w-]+)*:\w*[tT]est\w*(?: UP-TO-DATE| FROM-CACHE)?$/.test(line)) gradle = true;
    else if (/^BUILD SUCCESSFUL\b/.test(line)) passed += gradle ? 1 : 0;
    else if (pass.test(line)) passed++;
    else if (count.test(line)) {
      const counts = readCounts(line);
      if (counts.failed) return false;
      passed += counts.passed;
    }
  }
  return passed > 0 || planned && listed;
}
