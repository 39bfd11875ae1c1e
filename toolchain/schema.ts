/** Writes lib/config/schema.json, which editors check configuration files by. */
import { fromFileUrl } from "@std/path";
import * as z from "zod/mini";
import { configShape } from "../lib/config/schema.ts";

/** The text of the schema as it is published: JSON Schema of both configuration files. */
export function publishedSchema(): string {
  const { $schema, ...rest } = z.toJSONSchema(configShape());
  return `${JSON.stringify({ $schema, title: "nonzero configuration", ...rest }, null, 2)}\n`;
}

if (import.meta.main) {
  Deno.writeTextFileSync(
    fromFileUrl(new URL("../lib/config/schema.json", import.meta.url)),
    publishedSchema(),
  );
}
