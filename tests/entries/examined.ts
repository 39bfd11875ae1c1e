/** Examines the settings files that it is given, as `PLACE=FILE`, and prints the report: managed ones lie where only an administrator writes. */
import { examine } from "../../lib/doctor/examine.ts";
import type { Place } from "../../lib/doctor/ours.ts";
import { toJson } from "../../lib/doctor/report.ts";
import { registry } from "../../toolchain/registry.ts";

const places = Deno.args.map((arg): Place => {
  const [name, file = ""] = arg.split("=");
  if (name !== "managed" && name !== "user") throw new Error(`No place is called "${name}"`);
  return { name, file };
});
const hooks = registry.flatMap((entry) => entry.folder === "hooks" ? [entry.unit] : []);
console.log(toJson(await examine({ hooks, project: Deno.cwd(), client: false, places })).trimEnd());
