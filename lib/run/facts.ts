import type { Call } from "../contract/call.ts";
import type { Facts, Text } from "../contract/hook.ts";
import { executable, platform as currentPlatform } from "../io/system.ts";
import { isInside } from "../paths/compare.ts";
import { GUARDED_NAMES } from "../paths/guarded.ts";
import { type Place, resolve } from "../paths/resolve.ts";
import { type Configuration, configure, describeLoosened, resolveAll } from "./configure.ts";
import { findDocuments } from "./documents.ts";
import { ancestors, below, disk, findHome, findRoot, type Root, tooWide } from "./roots.ts";
import { findBudget } from "./spending.ts";
import { findTargets } from "./targets.ts";

/** The names below the root that clients read their hooks from and that are links, with what they lead to. */
function findAliases(root: string, place: Place): Facts["guarded"]["aliases"] {
  const absent = new Set<string>();
  return GUARDED_NAMES.flatMap((name) => {
    const above = name.slice(0, -1).join("/");
    if (absent.has(above)) return [];
    const path = below(root, place.platform, ...name);
    const kind = disk.kind(path);
    if (kind !== "folder") absent.add(name.join("/"));
    if (kind !== "link") return [];
    const found = resolve(path, place);
    return "problem" in found ? [] : found.readings.map((path) => ({ path, name }));
  });
}

/** What the guard rests on besides the names that clients know. */
function findGuarded(root: Root, configuration: Configuration, place: Place): Facts["guarded"] {
  const { platform } = place;
  const program = resolveAll([executable()], place, "the running program");
  const folders = program.flatMap((path) => [...ancestors(path, platform)].slice(1, 2));
  const holdsRoot = (folder: string) => "path" in root && isInside(root.path, folder, platform);
  return {
    places: [...configuration.folder, ...program, ...folders.filter((folder) => !holdsRoot(folder))],
    aliases: "path" in root ? findAliases(root.path, place) : [],
    editable: configuration.settings.editable,
  };
}

/** The folders that the agent's own design lets it write; one so wide that it holds the root or the home is none. */
function findAgentsFolders(call: Call, root: Root, place: Place): string[] {
  const { home, platform } = place;
  return call.folders.flatMap((path) => {
    const found = resolve(path, { ...place, cwd: "" });
    if ("problem" in found) return [];
    const inner = [..."path" in root ? [root.path] : [], ...home === undefined ? [] : [home]];
    return found.readings.filter((folder) => !inner.some((path) => isInside(path, folder, platform)));
  });
}

function findTexts({ commands, texts }: Call): Text[] {
  return texts.map(({ field, text, destination }) => ({
    field,
    text,
    isCommand: commands.some((command) => command.field === field),
    ...(destination === undefined ? {} : { target: destination }),
  }));
}

/**
 * Gathers, once, all that the rules look at: the only step of a guard that touches the world. Throws ConfigError
 * where a configuration cannot be obeyed.
 */
export async function gather(
  call: Call,
): Promise<{ facts: Facts; loosened: (rule: string) => readonly string[]; configuration: Configuration }> {
  const platform = currentPlatform();
  const home = findHome(platform);
  const place: Place = { platform, cwd: call.cwd, home, disk };
  const { root: found, outer } = findRoot(call, platform);
  const agentsFolders = findAgentsFolders(call, found, place);
  const configuration = await configure(found, outer, agentsFolders, place);
  const { settings } = configuration;
  const wide = "path" in found && !settings.named ? tooWide(found.path, home, platform) : undefined;
  const root: Root = wide === undefined ? found : {
    problem: `the worktree would be ${wide}`,
    satisfy:
      "Work in a project of its own, or let the user's configuration name this folder among its projects.",
    always: false,
  };
  const targets = await findTargets(call, place);
  const budget = findBudget(call, settings.limit);
  const facts: Facts = {
    platform,
    root,
    writable: [...agentsFolders, ...resolveAll(settings.writable, place, configuration.file)],
    targets,
    texts: findTexts(call),
    documents: findDocuments(call, targets, settings.records, platform),
    guarded: findGuarded(root, configuration, place),
    accepted: settings.accept,
    evidence: settings.evidence,
    ...(home === undefined ? {} : { home }),
    ...(budget === undefined ? {} : { budget }),
  };
  return { facts, loosened: describeLoosened(configuration), configuration };
}
