import { assertEquals } from "@std/assert";
import { findHarness, harnesses } from "../../../lib/harness/harnesses.ts";

/** Who an event is read for when its sender is not named. */
const reader = (event: Record<string, unknown>) =>
  harnesses.find((harness) => harness.recognises(event))?.name;

Deno.test("harnesses: what a pipeline sends is native, whatever else is in it", () => {
  assertEquals(reader({ target: "a" }), "native");
  assertEquals(reader({ payload: {} }), "native");
  assertEquals(reader({ tool_name: "Write", hook_event_name: "PreToolUse", target: "a" }), "native");
});

Deno.test("harnesses: what a client sends is claude's", () => {
  assertEquals(reader({ tool_name: "Write" }), "claude");
  assertEquals(reader({ hook_event_name: "PreToolUse" }), "claude");
});

Deno.test("harnesses: any other event is nobody's", () => assertEquals(reader({ cwd: "/" }), undefined));

Deno.test("findHarness: each by its own name", () => {
  for (const harness of harnesses) assertEquals(findHarness(harness.name), harness);
  assertEquals(findHarness("nobody"), undefined);
});
