import { parseArgs } from "@std/cli/parse-args";
import { type Hook, UsageError } from "../contract/entry.ts";
import { examine } from "../doctor/examine.ts";
import { exitOf } from "../doctor/finding.ts";
import { toJson, toText } from "../doctor/report.ts";
import { disk } from "../io/disk.ts";
import { currentFolder } from "../io/programs.ts";
import { platform as currentPlatform } from "../io/system.ts";
import { parsePath } from "../paths/parse.ts";
import { resolve } from "../paths/resolve.ts";
import { findHome } from "../run/roots.ts";

/** What a command of the program answers. */
export interface CommandAnswer {
  readonly code: number;
  readonly stdout: string;
}

/** What `nonzero doctor --help` prints. */
const HELP = `nonzero doctor: tells whether the hooks that are wired do what they are for

Usage: nonzero doctor [--json] [--client] [--project-dir DIR]

It looks at every place where Claude Code reads hooks from, sends each hook of this program that is wired there
a harmless event and one that it must refuse, through the command as it stands, and says what it finds wrong.
What comes with a repository is not run, nor a line for a shell that is more than a program and plain words.

Options:
  --project-dir DIR  the project; by default the current folder
  --client           asks the client for its version too
  --json             prints the findings as JSON
  --help

Exit codes: 0 all is sound, 1 there are warnings, 2 a guard does not refuse, 64 a mistake on the command line.
`;

interface DoctorOptions {
  readonly help: boolean;
  readonly json: boolean;
  readonly client: boolean;
  readonly project: string;
}

/** The project's folder, absolute. Throws UsageError where it is none. */
function findProject(written: string | undefined): string {
  const platform = currentPlatform();
  const cwd = currentFolder();
  if (written === undefined) {
    if (cwd === undefined) throw new UsageError("the current folder is gone");
    return cwd;
  }
  const isAbsolute = parsePath(written, platform).kind === "absolute";
  if (cwd === undefined && !isAbsolute) throw new UsageError("the current folder is gone");
  const found = resolve(written, { platform, cwd: cwd ?? "", home: findHome(platform), disk });
  const path = "problem" in found ? undefined : found.readings[0];
  if (path === undefined || disk.kind(path) !== "folder") {
    throw new UsageError(`--project-dir "${written}" is no folder`);
  }
  return path;
}

function parseOptions(args: readonly string[]): DoctorOptions {
  const options = parseArgs(args, {
    boolean: ["json", "client", "help"],
    string: ["project-dir"],
    unknown(argument) {
      throw new UsageError(`unknown argument "${argument}"`);
    },
  });
  const written = options["project-dir"];
  const help = options.help === true;
  return {
    help,
    json: options.json === true,
    client: options.client === true,
    project: help ? "" : findProject(typeof written === "string" ? written : undefined),
  };
}

/** Runs `nonzero doctor`. Throws UsageError. */
export async function runDoctor(hooks: readonly Hook[], args: readonly string[]): Promise<CommandAnswer> {
  const { help, json, client, project } = parseOptions(args);
  if (help) return { code: 0, stdout: HELP };
  const examination = await examine({ hooks, project, client });
  return { code: exitOf(examination.findings), stdout: (json ? toJson : toText)(examination) };
}
