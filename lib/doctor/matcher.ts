/** The tools of the client that write, which a guard must be asked about; the last stands for those of all MCP servers. */
export const WRITING_TOOLS: readonly string[] = [
  "Write",
  "Edit",
  "NotebookEdit",
  "Bash",
  "PowerShell",
  "mcp__*",
];

/** Those that older clients alone have. */
export const LEGACY_TOOLS: readonly string[] = ["MultiEdit"];

/**
 * Whether a matcher of the client takes a tool: nothing and `*` take all; of letters, digits, `_`, `-`, spaces, commas
 * and bars alone it is a list of names; anything else is a regular expression that may match anywhere.
 */
export function matches(matcher: string | undefined, tool: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (/^[\w ,|-]*$/.test(matcher)) return matcher.split(/[,|]/).some((name) => name.trim() === tool);
  try {
    return new RegExp(matcher).test(tool);
  } catch {
    return false;
  }
}
