import { EventError } from "../contract/call.ts";
import { readStdin } from "../io/stdin.ts";

/** The event on standard input: a JSON object. Throws EventError and StdinError. */
export function readEvent(): Readonly<Record<string, unknown>> {
  const bytes = readStdin();
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new EventError(
      bytes.length === 0 ? "standard input is empty" : "standard input is not valid JSON",
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new EventError("standard input is not a JSON object");
  }
  return value as Record<string, unknown>;
}
