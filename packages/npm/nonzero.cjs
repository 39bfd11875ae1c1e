#!/usr/bin/env node
// Starts the executable that this system's package carries, and ends as it does. Where there is none it refuses: a
// missing guard must not let a tool run.
"use strict";

const { spawn } = require("node:child_process");
const { statSync } = require("node:fs");
const { constants } = require("node:os");
const { dirname, join } = require("node:path");
const { version } = require("./package.json");

const REFUSED = 2;
const FORWARDED = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR2", "SIGBREAK"];

function refuse(message) {
  console.error(`nonzero: ${message}`);
  process.exit(REFUSED);
}

function usesMusl() {
  process.report.excludeNetwork = true;
  return !process.report.getReport().header.glibcVersionRuntime;
}

function load(name) {
  try {
    const path = require.resolve(`${name}/package.json`);
    return { name, folder: dirname(path), ...require(path) };
  } catch {
    return undefined;
  }
}

function findExecutable() {
  const name = `nonzero-hooks-${process.platform}-${process.arch}`;
  const names = process.platform === "linux" ? [name, `${name}-musl`] : [name];
  // Asking for the C library takes longer than the start; older package managers install both.
  const loaded = names.map(load).filter((found) => found !== undefined);
  const found = loaded.length > 1 ? loaded[usesMusl() ? 1 : 0] : loaded[0];
  if (found === undefined) {
    refuse(`there is no package ${names.join(" or ")}; install nonzero-hooks with its optional dependencies`);
  }
  if (found.version !== version) {
    refuse(`${found.name} is of version ${found.version}, nonzero-hooks of ${version}`);
  }
  const path = join(found.folder, "bin", process.platform === "win32" ? "nonzero.exe" : "nonzero");
  // The system gives a file that is no program to a shell, which takes an empty one for success.
  if (statSync(path).size !== found.nonzero.size) refuse(`${path} is not whole; install ${found.name} again`);
  return path;
}

process.on("uncaughtException", (error) => refuse(`cannot start: ${error.message}`));
const executable = findExecutable();
// Before the start, lest a signal that comes at once leave the program behind.
for (const signal of FORWARDED) {
  if (constants.signals[signal] !== undefined) process.on(signal, () => child.kill(signal));
}
const child = spawn(executable, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
child.on("error", (error) => {
  throw error;
});
child.on("exit", (code, signal) => {
  if (code !== null) process.exit(code);
  for (const name of FORWARDED) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  // Where that is ignored, the code that a shell would tell.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
});
