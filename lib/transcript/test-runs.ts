import type { TestRun } from "./readers.ts";

/** What a result tells of runs of tests. */
export interface TestResult {
  /** `stopped`: it ended with an error and no summary that tells of failures. */
  readonly end: "passed" | "failed" | "stopped";
  /** What the command runs, where it is known. */
  readonly runs: readonly TestRun[];
  /** Whose summaries it bears. */
  readonly runners: ReadonlySet<string>;
}

/** How the runs of tests of a turn ended. */
export interface Outcomes {
  /** Some passed, nothing later speaks against it, and no other failed last. */
  readonly pass: boolean;
  /** Some failed or stopped, and did not pass later. */
  readonly fail: boolean;
}

/** Words that mean all tests, or say nothing on which. */
const WHOLE =
  /^(?:-.*|\d+|\.{1,3}|(?:\.\/)?(?:\.{3}|tests?|specs?|src|__tests__|e2e)\/?|.*\.(?:json|jsonc|toml|ini|cfg|ya?ml|config\.\w+))$/;

/** Options that choose among tests, with their value. */
const CHOOSES = /^--?(?:filter|grep|run|k|t|g|m|test-?name-?pattern|testNamePattern|only|tests?|Dtest)=/i;

/** Which tests a run names; none where it runs all. */
function choiceOf({ runs }: TestResult): readonly string[] {
  return runs.flatMap(({ args }) => args.filter((arg) => CHOOSES.test(arg) || !WHOLE.test(arg)));
}

/** What names a run: what runs it, and whose summaries it printed. */
function namesOf({ runs, runners }: TestResult): Set<string> {
  return new Set([
    ...runs.map(({ runner }) => `run ${runner}`),
    ...[...runners].map((runner) => `of ${runner}`),
  ]);
}

function isSame(one: TestResult, other: TestResult): boolean {
  const names = namesOf(other);
  return [...namesOf(one)].some((name) => names.has(name));
}

/** The most names of tests that are held against those of another run. */
const CHOICES = 200;

/** Whether a run has run all that an earlier one did. */
function covers(later: TestResult, earlier: TestResult): boolean {
  const chosen = choiceOf(later);
  if (chosen.length === 0) return true;
  if (chosen.length > CHOICES) return false;
  const before = choiceOf(earlier);
  return before.length > 0 && before.every((one) => chosen.some((other) => one.startsWith(other)));
}

/**
 * How runs of tests ended, told by their results, oldest first. Of runs of the same tests the last counts. One that
 * passed takes away that an earlier one failed, where it ran as many of the tests; one that failed or stopped takes
 * away that an earlier one passed. Runs are of the same where they have the same runner, or summaries of the same form.
 */
export function outcomeOf(results: readonly TestResult[]): Outcomes {
  let passed: TestResult[] = [];
  let failed: TestResult[] = [];
  for (const result of results) {
    if (result.end === "passed") {
      failed = failed.filter((one) => !isSame(result, one) || !covers(result, one));
      passed.push(result);
    } else {
      passed = passed.filter((one) => !isSame(result, one));
      failed.push(result);
    }
  }
  return {
    pass: passed.length > 0 && failed.every(({ end }) => end === "stopped"),
    fail: failed.length > 0,
  };
}
