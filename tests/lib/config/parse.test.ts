import { assert, assertEquals, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";
import fc from "fast-check";
import { ConfigError } from "../../../lib/config/error.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { settle } from "../../../lib/config/settle.ts";

Deno.test("parseConfig: what the file says", () => {
  const file = {
    records: ["a"],
    budget: { limit: 0 },
    evidence: [],
    projects: { "/a": { writable: ["~/b"] } },
  };
  assertEquals(parseConfig(JSON.stringify(file), "f"), file);
});

Deno.test("parseConfig: a key that stands twice at any depth", () => {
  for (
    const text of [
      '{"records":[],"records":[]}',
      '{"projects":{"/a":{"editable":[],\n"editable":[]}}}',
      '{"a":[{"b":1,"b":2}]}',
    ]
  ) {
    assertThrows(() => parseConfig(text, "f.json"), ConfigError, "stands twice");
  }
});

Deno.test("parseConfig: names spelt with escapes are the same key", () => {
  assertThrows(
    () => parseConfig('{"records":[],"rec\\u006frds":["x"]}', "f.json"),
    ConfigError,
    "stands twice",
  );
});

Deno.test("parseConfig: nothing of Object.prototype is a key", () => {
  for (const key of ["__proto__", "constructor", "toString"]) {
    assertThrows(() => parseConfig(`{"${key}":{"records":[]}}`, "f.json"), ConfigError);
  }
});

Deno.test("parseConfig: any text gives a configuration or a ConfigError with file and line", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.json().map((text) => text.slice(1))), (text) => {
    try {
      parseConfig(text, "f.json");
    } catch (error) {
      assert(error instanceof ConfigError && /^f\.json:\d+: /.test(error.message), String(error));
    }
  }));
});

Deno.test("parseConfig: nesting without end is an error of the file", () => {
  assertThrows(() => parseConfig("[".repeat(1_000_000), "f.json"), ConfigError);
});

Deno.test("settle: nothing said, nothing set", () =>
  assertEquals(settle({ root: "/r" }), {
    records: [],
    evidence: [],
    limit: undefined,
    loosensLimit: false,
    writable: [],
    accept: [],
    editable: [],
    named: false,
  }));

Deno.test("settle: what tightens is added up, and the lower limit holds", () => {
  const settings = settle({
    root: "/r",
    projects: [
      { base: "/r", file: { records: ["a"], evidence: ["x"], budget: { limit: 5 } } },
      { base: "/", file: { records: ["o"], budget: { limit: 6 } } },
    ],
    user: { records: ["b"], budget: { limit: 7 } },
    entry: { records: ["c"], evidence: ["y"] },
  });
  assertEquals([settings.records, settings.evidence, settings.limit], [
    [{ base: "/r", glob: "a" }, { base: "/", glob: "o" }, { base: "/r", glob: "b" }, {
      base: "/r",
      glob: "c",
    }],
    ["x", "y"],
    5,
  ]);
});

Deno.test("settle: the entry's limit wins, and is said to loosen where it is the higher", () => {
  const limits = (own: number) =>
    settle({
      root: "/r",
      projects: [{ base: "/r", file: { budget: { limit: 5 } } }],
      entry: { budget: { limit: own } },
    });
  assertEquals([limits(9).limit, limits(9).loosensLimit], [9, true]);
  assertEquals([limits(2).limit, limits(2).loosensLimit], [2, false]);
});

Deno.test("settle: an untrusted entry tightens and does not loosen", () => {
  const entry = {
    records: ["c"],
    budget: { limit: 9 },
    writable: ["/x"],
    editable: ["y"],
    accept: [{ pattern: "p", path: "q", reason: "r" }],
  };
  const settings = settle({
    root: "/r",
    projects: [{ base: "/r", file: { budget: { limit: 5 } } }],
    entry,
    untrusted: true,
  });
  assertEquals(settings, {
    records: [{ base: "/r", glob: "c" }],
    evidence: [],
    limit: 5,
    loosensLimit: false,
    writable: [],
    accept: [],
    editable: [],
    named: false,
  });
});

Deno.test("ConfigFile: the published schema is the one that is obeyed", async () => {
  const file = fromFileUrl(new URL("../../../lib/config/schema.json", import.meta.url));
  const { publishedSchema } = await import("../../../toolchain/schema.ts");
  assertEquals(Deno.readTextFileSync(file), publishedSchema());
});
