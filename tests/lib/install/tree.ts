/** A project in memory that is installed into and out of, by the plans alone. */
import fc from "fast-check";
import { wire } from "../../../lib/harness/claude-wiring.ts";
import { BOM, encode } from "../../../lib/install/bytes.ts";
import { detect } from "../../../lib/install/detect.ts";
import { type Files, type Platform, PROJECT_SETTINGS } from "../../../lib/install/files.ts";
import { type InstallPlan, planInstall } from "../../../lib/install/plan-install.ts";
import { planUninstall, type UninstallPlan } from "../../../lib/install/plan-uninstall.ts";
import { type Change, type InstallRecord, recordChanges } from "../../../lib/install/record.ts";
import { registry } from "../../../toolchain/registry.ts";

/** Files by their paths, as bytes. */
export type Tree = Readonly<Record<string, string>>;

/** A project and what is remembered of it. */
export interface State {
  readonly tree: Tree;
  readonly record: InstallRecord | undefined;
}

/** What a test asks for. */
export interface Wanted {
  readonly platform?: Platform;
  readonly rules?: boolean;
  readonly judge?: boolean;
  /** The settings that get the hooks; undefined for none. */
  readonly settings?: string | undefined;
  readonly program?: string;
}

const hooks = registry.flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);

/** The bytes themselves stand for their digest. */
export function digest(bytes: string): string {
  return `digest of ${encode(bytes)}`;
}

/** Looks at a tree. */
export function filesOf(tree: Tree): Files {
  return { read: (path) => tree[path], name: (path) => path };
}

/** The wiring of a program. */
export const wiringOf = ({ program = "/opt/nonzero", judge = true }: Wanted = {}): ReturnType<typeof wire> =>
  wire(hooks, { program, judge });

function applied(tree: Tree, changes: readonly Change[]): Tree {
  const after = { ...tree };
  for (const change of changes) {
    if (change.after === undefined) delete after[change.path];
    else after[change.path] = change.after;
  }
  return after;
}

function recorded({ record }: State, changes: readonly Change[]): InstallRecord | undefined {
  return recordChanges(record, changes, { digest, project: "/p", version: "1", program: null, folders: [] });
}

/** Installs. */
export function install(state: State, wanted: Wanted = {}): State & { readonly plan: InstallPlan } {
  const { platform = "claude-code", rules = true, settings = PROJECT_SETTINGS[1] } = wanted;
  const { tree, record } = state;
  const names = () => Object.keys(tree);
  const detected = detect({ name: "app", text: (path) => tree[path], names });
  const wiring = wiringOf(wanted);
  const path = "settings" in wanted ? wanted.settings : settings;
  const plan = planInstall(
    { platform, detected, rules, hooks: path === undefined ? undefined : { path, wiring }, record, digest },
    filesOf(tree),
  );
  return { plan, tree: applied(tree, plan.changes), record: recorded(state, plan.changes) };
}

/** Takes it out. */
export function uninstall(state: State): State & { readonly plan: UninstallPlan } {
  const { tree, record } = state;
  const plan = planUninstall({ record, settings: PROJECT_SETTINGS, project: true, digest }, filesOf(tree));
  return { plan, tree: applied(tree, plan.changes), record: recorded(state, plan.changes) };
}

const line = fc.constantFrom(
  "",
  "# Title",
  "- \xe9\xff",
  "```\nx\n```",
  "    code",
  "see <!-- nonzero:begin -->",
  "\t",
);

/** What people have in a memory file. */
export const memory: fc.Arbitrary<string> = fc.record({
  bom: fc.boolean(),
  end: fc.constantFrom("\n", "\r\n"),
  lines: fc.oneof(
    fc.array(line, { maxLength: 6 }),
    fc.integer({ min: 160, max: 230 }).map((count) => Array.from({ length: count }, (_, at) => `line ${at}`)),
  ),
  last: fc.constantFrom("", "\n", "end", "\n\n\n"),
}).map(({ bom, end, lines, last }) => (bom ? BOM : "") + [...lines, last].join("\n").replaceAll("\n", end));

const stranger = { type: "command", command: "lint" };

/** What people have in settings. */
export const settings: fc.Arbitrary<string> = fc.tuple(
  fc.constantFrom<unknown>(
    {},
    { hooks: {} },
    { hooks: { Stop: [] } },
    { model: "é", hooks: { Stop: [{ hooks: [stranger] }], PreToolUse: [{ matcher: "Bash", hooks: [] }] } },
    { env: {}, permissions: { allow: [] } },
  ),
  fc.constantFrom(undefined, 2, 4, "\t"),
  fc.constantFrom("\n", "\r\n"),
  fc.constantFrom("", "\n", " \n\n"),
  fc.constantFrom("", BOM),
).map(([value, indent, end, last, bom]) =>
  bom + (encode(JSON.stringify(value, null, indent)) + last).replaceAll("\n", end)
);

/** A project as it may be before anything of ours is in it. */
export const tree: fc.Arbitrary<Tree> = fc.record(
  {
    "CLAUDE.md": memory,
    "CLAUDE.local.md": memory,
    ".claude/CLAUDE.md": memory,
    "AGENTS.md": memory,
    ".claude/rules/nonzero.md": fc.constantFrom("", "mine\n"),
    ".claude/rules/proof-obligations.md": fc.constantFrom("", "mine\r\n"),
    ".claude/rules/proof-obligations.nonzero.md": fc.constant("mine\n"),
    ".claude/rules/evidence-contract.md": fc.constant("# Mine"),
    ".claude/settings.json": settings,
    ".claude/settings.local.json": settings,
    "package.json": fc.constant('{"dependencies":{"ink":"6"},"scripts":{"test":"x"}}'),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** Any way to ask for it. */
export const wanted: fc.Arbitrary<Wanted> = fc.record({
  platform: fc.constantFrom<Platform>("claude-code", "claude-code", "opencode", "agents"),
  rules: fc.boolean(),
  judge: fc.boolean(),
  settings: fc.constantFrom(undefined, ...PROJECT_SETTINGS),
  program: fc.constantFrom("/opt/nonzero", "/opt/two/nonzero"),
});
