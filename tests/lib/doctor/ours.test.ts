import { assertEquals } from "@std/assert";
import type { Handler } from "../../../lib/doctor/claude-settings.ts";
import { identify, refusesDamaged, refusesOnFailure } from "../../../lib/doctor/ours.ts";
import { hooks } from "../../cli/wired.ts";

const handler = (command: string, args?: readonly string[], event = "PreToolUse"): Handler => ({
  event,
  matcher: undefined,
  command,
  args,
  onFailure: undefined,
  timeout: undefined,
  isAsync: false,
  condition: undefined,
  dropped: undefined,
});

Deno.test("identify: by the words, by the program, and by the event where neither says", () => {
  const cases: [handler: Handler, name: string | null | undefined][] = [
    [handler("/x/nonzero", ["-z", "hook", "stop-guard"]), "stop-guard"],
    [handler("/x/renamed", ["hook", "evidence-guard"]), "evidence-guard"],
    [handler("C:\\x\\nonzero.exe", ["-z", "hook", "pre-tool-use"]), "pre-tool-use"],
    [handler("/x/nonzero", []), "pre-tool-use"],
    [handler("nonzero", [], "Stop"), "stop-guard"],
    [handler("/x/nonzero", ["doctor"], "Notification"), null],
    [handler("/x/hooks/pre-tool-use", ["-z"]), "pre-tool-use"],
    [handler("/x/hooks/stop-guard", ["--harness", "claude"]), "stop-guard"],
    [handler("/x/hooks/stop-guard", []), undefined],
    [handler("/built/hooks/stop-guard", []), "stop-guard"],
    [handler("pre-tool-use", ["-z"]), undefined],
    [handler("/x/other", ["hook", "post-tool"]), undefined],
    [handler("/x/other", []), undefined],
    [handler("'/x y/nonzero' -z hook stop-guard || exit 2"), "stop-guard"],
    [handler('test -s "/x/nonzero" && "/x/nonzero" -z'), "pre-tool-use"],
    [handler("/x/hooks/pre-tool-use -z --harness claude"), "pre-tool-use"],
    [handler("bash ~/hooks/pre-tool-use.sh"), undefined],
    [handler("echo nonzero refused"), "pre-tool-use"],
  ];
  for (const [one, name] of cases) {
    const found = identify(one, hooks, (program) => program.startsWith("/built/"));
    assertEquals(found === null ? null : found?.name, name, JSON.stringify(one));
  }
});

Deno.test("refusesOnFailure: by the client or by the shell", () => {
  assertEquals(refusesOnFailure({ ...handler("x", []), onFailure: "block" }), true);
  assertEquals(refusesOnFailure(handler("x", [])), false);
  assertEquals(refusesOnFailure(handler("x || { echo no >&2; exit 2; }")), true);
  assertEquals(refusesOnFailure(handler("x || true")), false);
  assertEquals(refusesOnFailure(handler("x", ["||", "exit 2"])), false);
});

Deno.test("refusesDamaged: -z is the first argument, or stands in the command line", () => {
  assertEquals(refusesDamaged(handler("x", ["-z", "hook"])), true);
  assertEquals(refusesDamaged(handler("x", ["hook", "-z"])), false);
  assertEquals(refusesDamaged(handler("'x' -z hook y")), true);
  assertEquals(refusesDamaged(handler("x hook y-z z")), false);
});
