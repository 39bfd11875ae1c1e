import { assertEquals } from "@std/assert";
import { judge, type Verdict } from "../../../lib/doctor/verdict.ts";
import type { Ran } from "../../../lib/io/child.ts";
import { hooks } from "../../cli/wired.ts";

const ran = (code: number | null, stdout = "", more: Partial<Ran> = {}): Ran => ({
  code,
  stdout,
  stderr: "",
  ms: 1,
  ...more,
});
const hung = ran(null, "", { problem: "took too long" });
const killed = ran(null, "", { problem: "was killed" });
const deny = JSON.stringify({ hookSpecificOutput: { permissionDecision: "deny" } });
const block = JSON.stringify({ decision: "block", reason: "x" });

function ask(
  name: string,
  harmless: Ran,
  mustRefuse: Ran | undefined,
  refusesOnFailure = true,
  log = "",
): Verdict {
  const hook = hooks.find((hook) => hook.name === name);
  if (!hook) throw new Error(name);
  return judge({ harmless, mustRefuse, log }, { hook, event: "E", refusesOnFailure, file: "/f" });
}

const short = ({ verdict, findings }: Verdict) => [
  verdict,
  ...findings.map(({ level, id }) => `${level} ${id}`),
];

Deno.test("judge: a guard", () => {
  const cases: [harmless: Ran, mustRefuse: Ran, closed: boolean, expected: string[]][] = [
    [ran(0), ran(2, deny), true, ["sound"]],
    [ran(0), ran(2, deny), false, ["sound"]],
    [ran(0), ran(2), true, ["refuses", "warning no-denial"]],
    [ran(0), ran(0, deny), true, ["refuses", "warning no-denial"]],
    [ran(0), ran(1, deny), false, ["refuses", "warning no-denial"]],
    [ran(0), ran(0), true, ["does not refuse", "error does-not-refuse"]],
    [ran(0), ran(0, "{"), true, ["does not refuse", "error does-not-refuse"]],
    [ran(0), ran(0, '{"hookSpecificOutput":null}'), true, ["does not refuse", "error does-not-refuse"]],
    [ran(0), ran(0, '{"permissionDecision":"deny"}'), true, ["does not refuse", "error does-not-refuse"]],
    [ran(1), ran(1), true, ["does not judge", "warning does-not-judge"]],
    [ran(1), ran(1), false, ["does not refuse", "error does-not-refuse"]],
    [hung, hung, true, ["hangs", "warning hangs"]],
    [hung, hung, false, ["hangs", "error does-not-refuse"]],
    [hung, ran(2, deny), true, ["refuses everything", "warning refuses-harmless"]],
    [hung, ran(2, deny), false, ["fails", "warning fails"]],
    [killed, killed, true, ["does not judge", "warning does-not-judge"]],
    [ran(2, deny), ran(2, deny), true, ["refuses everything", "warning refuses-harmless"]],
    [ran(0, deny), ran(2, deny), true, ["refuses everything", "warning refuses-harmless"]],
    [ran(1), ran(2, deny), false, ["fails", "warning fails"]],
  ];
  for (const [harmless, mustRefuse, closed, expected] of cases) {
    const told = JSON.stringify([harmless, mustRefuse, closed]);
    assertEquals(short(ask("pre-tool-use", harmless, mustRefuse, closed)), expected, told);
  }
});

Deno.test("judge: a stop hook", () => {
  const cases: [harmless: Ran, mustRefuse: Ran, expected: string[]][] = [
    [ran(0), ran(0, block), ["sound"]],
    [ran(0), ran(0), ["does not refuse", "error does-not-refuse"]],
    [ran(0), ran(0, '{"decision":"approve"}'), ["does not refuse", "error does-not-refuse"]],
    [ran(0, block), ran(0, block), ["refuses everything", "warning refuses-harmless"]],
    [ran(2), ran(2), ["refuses everything", "warning refuses-harmless"]],
    [ran(0), ran(2), ["refuses", "warning no-denial"]],
    [ran(0, "hello"), ran(0, block), ["refuses", "warning no-denial"]],
    [ran(1), ran(1), ["does not judge", "warning does-not-judge"]],
    [hung, hung, ["hangs", "warning hangs"]],
  ];
  for (const [harmless, mustRefuse, expected] of cases) {
    assertEquals(
      short(ask("stop-guard", harmless, mustRefuse)),
      expected,
      JSON.stringify([harmless, mustRefuse]),
    );
  }
});

Deno.test("judge: observers, by what they have done", () => {
  const context = JSON.stringify({ hookSpecificOutput: { additionalContext: "x" } });
  const start = (harmless: Ran) => short(ask("session-start", harmless, undefined));
  assertEquals(start(ran(0, context)), ["sound"]);
  assertEquals(start(ran(0)), ["does nothing", "warning does-nothing"]);
  assertEquals(start(ran(1, context)), ["fails", "warning does-nothing"]);
  assertEquals(start(hung), ["hangs", "warning hangs"]);
  const load = (harmless: Ran, log: string) =>
    short(ask("instructions-loaded", harmless, undefined, false, log));
  assertEquals(load(ran(0), "{}\n"), ["sound"]);
  assertEquals(load(ran(0), " \n"), ["does nothing", "warning does-nothing"]);
});
