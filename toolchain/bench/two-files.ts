/** What no gate of two files can do without: it reads them. */
import { readFileSync } from "node:fs";
import process from "node:process";

for (const file of process.argv.slice(2)) readFileSync(file);
