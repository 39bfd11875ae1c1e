import type { Document, Facts, Objection, Rule } from "../contract/hook.ts";

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong with a record: a field without a page, or published although it could not be read. */
function judgeRecord(fields: JsonObject, extraction: unknown): string[] {
  const reasons: string[] = [];
  const unreadable = isObject(extraction) ? extraction.unreadable : undefined;
  if (!Array.isArray(unreadable) || !unreadable.every((name) => typeof name === "string")) {
    reasons.push("cannot say what it failed to read: extraction.unreadable is not a list of field names");
  } else {
    const published = unreadable.filter((name) => Object.hasOwn(fields, name));
    if (published.length > 0) {
      reasons.push(`field(s) published while listed unreadable: ${[...new Set(published)].join(", ")}`);
    }
  }
  const pageless: string[] = [];
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (!isObject(field) || !Number.isInteger(field.page) || Number(field.page) < 1) pageless.push(name);
  }
  if (pageless.length > 0) reasons.push(`field(s) published without a page: ${pageless.join(", ")}`);
  return reasons;
}

/** Looks for a record in one value. `claims`: whether `fields` alone makes it one. `strict`: it must be one. */
function judgeValue(value: unknown, claims: boolean, strict: boolean): string[] {
  if (isObject(value) && Object.hasOwn(value, "fields")) {
    if (isObject(value.fields) && (claims || strict || isObject(value.extraction))) {
      return judgeRecord(value.fields, value.extraction);
    }
    if (claims) return ["fields is not an object, so no field can be checked"];
  }
  return strict ? ["not a record: an object with fields and extraction is wanted here"] : [];
}

/** Looks for records at the top of a value and in each element of a top-level array. */
function judgeTop(value: unknown, claims: boolean, strict: boolean): string[] {
  if (!Array.isArray(value)) return judgeValue(value, claims, strict);
  const reasons: string[] = [];
  for (let index = 0; index < value.length; index++) {
    for (const reason of judgeValue(value[index], claims, strict)) reasons.push(`[${index}]: ${reason}`);
  }
  return reasons;
}

/** Text that can hold no record, told without parsing it: both keys must stand in it, spelt out or escaped. */
export function cannotHoldRecord(text: string): boolean {
  return !text.includes("\\u") && !(text.includes('"fields"') && text.includes('"extraction"'));
}

function judgeText(text: string, strict: boolean): string[] {
  if (!strict && (!/^\s*[[{]/.test(text) || cannotHoldRecord(text))) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return strict ? ["not a record: it does not parse as JSON"] : [];
  }
  return judgeTop(value, false, strict);
}

function judgeDocument(document: Document): string[] {
  switch (document.kind) {
    case "value":
      return judgeTop(document.value, true, document.strict);
    case "unknown":
      return [document.why];
    case "text": {
      const text = document.text.replace(/^\uFEFF/, "");
      if (!document.lines) return judgeText(text, document.strict);
      return text.split(/\r\n|[\n\r]/).flatMap((line, index) =>
        line.trim() === ""
          ? []
          : judgeText(line, document.strict).map((reason) => `line ${index + 1}: ${reason}`)
      );
    }
  }
}

const TELL = "Write the whole file with Write, by a call that says what it will hold.";

function* judge(documents: readonly Document[]): Generator<Objection> {
  for (const document of documents) {
    for (const reason of judgeDocument(document)) {
      const named = document.kind === "value" ? reason : `${document.name}: ${reason}`;
      yield document.kind === "unknown" ? { reason: named, satisfy: TELL } : named;
    }
  }
}

/** No field is published that the record itself says it could not read, and none without its page. */
export const unreadFields: Rule<Facts> = {
  id: "unread-fields",
  refuses: "a record that publishes a field it could not read, or one without a page",
  satisfy:
    "Leave out each field that could not be read, list it in extraction.unreadable, and give every other " +
    "field the page (1 or higher) that it was read from.",
  check: ({ documents }) => [...judge(documents)],
};
