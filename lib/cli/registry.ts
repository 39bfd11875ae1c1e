import type { Entry, Row } from "../contract/entry.ts";

/** A gate may read files, what its own declarations name, and whether GitHub Actions runs it. */
async function loadRow(row: Row): Promise<Entry> {
  if (row.folder === "hooks") {
    return { folder: row.folder, unit: await row.load(), permissions: row.permissions };
  }
  const unit = await row.load();
  const declared = unit.declarations.map(({ variable }) => variable);
  const env = [
    ...declared,
    "GITHUB_ACTIONS",
    ...Array.isArray(row.permissions.env) ? row.permissions.env : [],
  ];
  return { folder: row.folder, unit, permissions: { ...row.permissions, read: true, env } };
}

/** Loads every hook and gate of the program. */
export async function loadRegistry(rows: readonly Row[]): Promise<readonly Entry[]> {
  return await Promise.all(rows.map(loadRow));
}
