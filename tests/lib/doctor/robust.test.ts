/** Whatever stands in a settings file, doctor reads it to its end. */
import { assert } from "@std/assert";
import * as fc from "fast-check";
import { readSettings } from "../../../lib/doctor/claude-settings.ts";
import { findCommand, type Look } from "../../../lib/doctor/command.ts";
import { checkFile, checkManagedOnly } from "../../../lib/doctor/files.ts";
import { identify, type OurEntry, type Place } from "../../../lib/doctor/ours.ts";
import { toJson, toText } from "../../../lib/doctor/report.ts";
import { checkWiring } from "../../../lib/doctor/wiring.ts";
import { hooks } from "../../cli/wired.ts";

const KEYS = [
  "hooks",
  "PreToolUse",
  "Stop",
  "Nope",
  "matcher",
  "type",
  "command",
  "args",
  "onFailure",
  "env",
  "if",
];
const WORDS = [
  "command",
  "block",
  "/x/nonzero",
  "nonzero",
  "./nonzero",
  "-z",
  "hook",
  "pre-tool-use",
  "Write|Edit",
  "(",
  "${CLAUDE_PROJECT_DIR}/nonzero -z hook stop-guard",
  "__proto__",
  "\u001b[31m",
  "",
];

const { tree: json } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 8, withCrossShrink: true },
    fc.constantFrom<unknown>(...WORDS, 0, 1, true, null),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("tree"), { maxKeys: 5 }),
  ),
}));

/** Settings that have handlers far more often than chance alone would. */
const settings = fc.oneof(
  json,
  fc.record({
    hooks: fc.dictionary(
      fc.constantFrom("PreToolUse", "Stop", "SessionStart", "Nope"),
      fc.array(fc.record({
        matcher: json,
        hooks: fc.array(fc.record({
          type: fc.constantFrom("command", "prompt"),
          command: fc.constantFrom(...WORDS),
          args: fc.option(fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }), { nil: undefined }),
          onFailure: json,
        }, { requiredKeys: ["type", "command"] })),
      }, { requiredKeys: ["hooks"] })),
    ),
  }),
);

const look: Look = {
  platform: "linux",
  isInProject: (path) => path.startsWith("/p/"),
  onPath: () => undefined,
  isRunning: () => false,
};

Deno.test("a settings file of any content is examined to its end", () => {
  let entriesSeen = 0;
  const place: Place = { name: "user", file: "/home/a/.claude/settings.json" };
  fc.assert(
    fc.property(settings, (value) => {
      const file = { ...readSettings(JSON.stringify(value)), place, mentionsUs: false };
      const entries = file.handlers.flatMap((handler): OurEntry[] => {
        const hook = identify(handler, hooks, () => false);
        return hook === undefined ? [] : [{ place, handler, hook: hook ?? undefined }];
      });
      entriesSeen += entries.length;
      const findings = [
        ...checkFile(file, entries.length > 0, () => false),
        ...checkManagedOnly([file], [place]),
        ...checkWiring(entries),
      ];
      const tried = { verdict: "x", harmless: undefined, mustRefuse: undefined, findings: [] };
      const examination = { entries: entries.map((entry) => ({ entry, tried })), findings };
      for (const { handler, hook } of entries) {
        if (hook) findCommand(handler, hook, { project: "/p", pluginRoot: undefined }, look);
      }
      // deno-lint-ignore no-control-regex -- what a terminal obeys
      assert(!/[\x00-\x09\x0b-\x1f\x7f]/.test(toText(examination) + toJson(examination)));
    }),
    { numRuns: 500 },
  );
  assert(entriesSeen > 50, `${entriesSeen}`);
});
