import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../../lib/contract/entry.ts";
import { parseOptions } from "../../../lib/run/options.ts";

const NONE = { harness: undefined, help: false, version: false };

Deno.test("parseOptions: nothing, and -z, ask for nothing", () => {
  assertEquals(parseOptions([]), NONE);
  assertEquals(parseOptions(["-z"]), NONE);
});

Deno.test("parseOptions: the agent in either form, after and before others", () => {
  assertEquals(parseOptions(["-z", "--harness", "claude"]), { ...NONE, harness: "claude" });
  assertEquals(parseOptions(["--harness=native", "-z"]), { ...NONE, harness: "native" });
  assertEquals(parseOptions(["--harness", "native", "--help"]), { ...NONE, harness: "native", help: true });
});

Deno.test("parseOptions: --help and --version", () => {
  assertEquals(parseOptions(["--help"]), { ...NONE, help: true });
  assertEquals(parseOptions(["--version"]), { ...NONE, version: true });
});

Deno.test("parseOptions: an agent that is not known, or not named, is a mistake", () => {
  for (const args of [["--harness", "nobody"], ["--harness=nobody"]]) {
    assertThrows(() => parseOptions(args), UsageError, 'Unknown harness "nobody"');
  }
  for (const args of [["--harness"], ["--harness="], ["-z", "--harness"]]) {
    assertThrows(() => parseOptions(args), UsageError, 'Unknown harness ""');
  }
});

Deno.test("parseOptions: whatever else stands there is a mistake, wherever", () => {
  const others = ["", "-", "--", "x", "-h", "--z", "-zz", "--help=no", "--no-help", "--harnesses", "--HELP"];
  for (const other of others) {
    for (const args of [[other], ["-z", "--harness", "claude", other], [other, "--help"]]) {
      assertThrows(() => parseOptions(args), UsageError, `Unknown argument "${other}"`);
    }
  }
});
