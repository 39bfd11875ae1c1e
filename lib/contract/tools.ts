/** What the name of a tool tells of it, where nothing else is known. */

/** Beginnings of words in an unknown tool's name that say that it writes. A word too many costs little: only paths are judged. */
const WRITES = new RegExp(
  "^(?:write|overwrite|rewrite|edit|create|delete|remove|move|rename|copy|patch|save|append|prepend|insert|replace|mkdir|touch|" +
    "download|upload|update|upsert|modif|truncat|symlink|hardlink|unlink|chmod|chown|persist|erase|destroy|purge|wipe|trash|restor|" +
    "revert|unzip|unpack)",
);

/** Whole words that say the same, and are also things: a store, a data set. */
const ALSO_WRITES =
  /^(?:sets?|puts?|stores?|exports?|push|link|change|alter|apply|clear|dump|make|commit|refactor|rm|rmdir|mv|cp|ln)$/;

/** A first word after which those are things. */
const LOOKS =
  /^(?:check|validate|verify|open|view|query|extract|inspect|count|parse|analy[sz]e|scan|diff|compare|load|preview|watch|lint)$/;

/** A first word that says that it only reads, whatever else the name has. */
const READS = /^(?:get|list|read|search|find|fetch|show|describe|is|has)$/;

/** Whether the name of a tool says that it writes: by its words, those of an MCP server left out. */
export function saysThatItWrites(name: string): boolean {
  const tool = name.replace(/^mcp__.*?__(?=.)/, "");
  const words = tool.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
  const [first = ""] = words;
  if (READS.test(first)) return false;
  return words.some((word) => WRITES.test(word) || (ALSO_WRITES.test(word) && !LOOKS.test(first)));
}
