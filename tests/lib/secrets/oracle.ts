/** secretlint's recommended preset, as a second opinion; loaded by this file alone. */
import { lintSource } from "@secretlint/core";
import { creator as rule } from "@secretlint/secretlint-rule-preset-recommend";

/** What secretlint finds in a text: `<rule> <message>` and the range. */
export async function secretlint(
  content: string,
): Promise<{ what: string; start: number; end: number }[]> {
  const { messages } = await lintSource({
    source: { content, filePath: "text.txt", ext: ".txt", contentType: "text" },
    options: { config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule }] } },
  });
  return messages.map(({ ruleId, messageId, range: [start, end] }) => ({
    what: `${ruleId.replace("@secretlint/secretlint-rule-", "")} ${messageId}`,
    start,
    end,
  }));
}
