import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Platform } from "../../../lib/contract/hook.ts";
import { type Redirection, redirections } from "../../../lib/paths/shell.ts";
import cases from "../../cases/paths/redirect-targets.json" with { type: "json" };

interface Case {
  readonly shell: "sh" | "powershell";
  readonly on: Platform;
  readonly command: string;
  /** A text is a plain path. */
  readonly targets: readonly (string | Partial<Redirection>)[];
}

function brief(found: Redirection): string | Partial<Redirection> {
  const { path, isPattern, unlessFolder } = found;
  if (unlessFolder !== undefined) return { path, unlessFolder, ...(isPattern && { isPattern }) };
  return isPattern ? { path, isPattern } : path;
}

function pathsOf(command: string, shell: "sh" | "powershell", on: Platform): string[] {
  return [...new Set(redirections(command, shell, on).map(({ path }) => path))];
}

for (const { shell, on, command, targets } of cases as readonly Case[]) {
  Deno.test(`redirections: ${shell} on ${on}, ${JSON.stringify(command)}`, () => {
    assertEquals(redirections(command, shell, on).map(brief), targets);
  });
}

const fragments = fc.constantFrom(
  ...[
    "echo",
    "a",
    "f",
    "'q r'",
    '"d e"',
    "\\",
    "'",
    '"',
    "`",
    "$(",
    ")",
    "(",
    "((",
    "))",
    "$((",
    "{",
    "}",
    "${x:-",
  ],
  ...[
    "[[",
    "]]",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "\n",
    " ",
    ">",
    ">>",
    ">|",
    "&>",
    "2>",
    ">&",
    "<>",
    "<<E",
    "<<-E",
    "<<'E'",
  ],
  ...[
    "E",
    "\nE\n",
    "#",
    "case x in",
    "x)",
    "esac",
    ";;",
    "if true",
    "then",
    "fi",
    "~",
    "!",
    "=",
    "2",
    "*",
    "&-",
    "<(",
    ">(",
  ],
  ...[
    "\t",
    "$",
    "$[",
    "]",
    "function f",
    "f()",
    "time",
    "coproc",
    "exec",
    "env",
    ":",
    ",",
    "..",
    "\\\n",
    "$'",
    "@'\n",
    "\n'@",
  ],
  ...[
    "a=(",
    "a=(1)",
    "@(x)",
    "shopt -s extglob\n",
    "function [[",
    "-p",
    "bash -c '",
    "eval",
    "<<$'E'",
    '<<"E$x"',
    "cd .",
  ],
  ...['@"\n', '\n"@', "<#", "#>", "Set-Content", "-Path", "tee", "sudo", "\u2018", "\ud800", "\r"],
);

Deno.test("redirections: is total, and what it finds stands in the command", () => {
  const command = fc.oneof(
    fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join(" ")),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
  const platform = fc.constantFrom<Platform>("linux", "darwin", "windows");
  fc.assert(
    fc.property(
      command,
      fc.constantFrom("sh" as const, "powershell" as const),
      platform,
      (text, shell, on) => {
        const targets = pathsOf(text, shell, on);
        assertEquals(new Set(targets).size, targets.length);
        assert(targets.every((target) => target !== ""));
        if (!text.includes(">") && !/tee|content/i.test(text)) assertEquals(targets, []);
      },
    ),
    { numRuns: 3000 },
  );
});

Deno.test("redirections: a redirection at the end is found whatever stands in the lines before", () => {
  // What may swallow it: an open quote, bracket or here-document. It then counts all the same.
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 20 }), (parts) => {
      const before = parts.join(" ").replaceAll("#", "").replaceAll("\\", "").replaceAll("<<", "");
      const targets = pathsOf(`${before}\n: > final-target`, "sh", "linux");
      const balanced = /^(?:[^"'`$<]|\$(?!['"([{]))*$/.test(before) && !/\[\[|\(\(|case/.test(before);
      if (balanced) assert(targets.includes("final-target"), before);
    }),
    { numRuns: 3000 },
  );
});

Deno.test("redirections: what only an attacker writes is read crudely", () => {
  for (const opener of ["$((", "((", "`", '"$(', "${", "$'", "[[ ", "case a in ", "cd a; : > b; ", "a=(& "]) {
    const targets = pathsOf(`${opener.repeat(20_000)} : > final-target`, "sh", "linux");
    assert(targets.includes("final-target"), opener);
  }
  for (const opener of ["$(", '"$(', "@'\n", "<#", '@"\n', "{", "'"]) {
    const targets = pathsOf(`${opener.repeat(20_000)} : > final-target`, "powershell", "linux");
    assert(targets.includes("final-target"), opener);
  }
});

function hasBash(): boolean {
  try {
    return new Deno.Command("bash", { args: ["-c", ":"] }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "redirections: finds every file that bash creates",
  ignore: Deno.build.os === "windows" || !hasBash(),
  fn() {
    const base = Deno.makeTempDirSync();
    // Files with names of their own, which nothing else in a command can come to.
    const marked = fc.constantFrom(
      "> g1 ",
      ">g2\n",
      ">> g3;",
      "2>g4 ",
      "&> 'g5' ",
      '>|"g6" ',
      "<> g7 ",
      "echo >& g8 ",
      ">g\\9 ",
    );
    const part = fc.oneof({ weight: 3, arbitrary: fragments }, { weight: 1, arbitrary: marked });
    let created = 0;
    let run = 0;
    try {
      fc.assert(
        fc.property(
          fc.array(part, { minLength: 2, maxLength: 12 }),
          fc.constantFrom("", " "),
          (parts, between) => {
            const command = parts.filter((text) => text !== "tee").join(between);
            const cwd = `${base}/${run++}`;
            Deno.mkdirSync(cwd);
            new Deno.Command("timeout", {
              args: ["5", "bash", "-c", command],
              cwd,
              stdin: "null",
              stdout: "null",
              stderr: "null",
              clearEnv: true,
              env: { PATH: "/usr/bin:/bin" },
            }).outputSync();
            const targets = pathsOf(command, "sh", "linux");
            for (const { name } of Deno.readDirSync(cwd)) {
              if (!/^g\d$/.test(name)) continue;
              created++;
              assert(targets.includes(name), JSON.stringify([command, name, targets]));
            }
          },
        ),
        { numRuns: 300 },
      );
      assert(created > 20, `${created} created`);
    } finally {
      Deno.removeSync(base, { recursive: true });
    }
  },
});
