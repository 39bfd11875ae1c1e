import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { STOP_JUDGE } from "../../lib/harness/stop-judge.ts";
import { type Case, pick, question, readCases, readVerdict, report } from "../../toolchain/judge.ts";
import { ROOT, run } from "../black-box.ts";

const cases = readCases();
const bypasses = cases.filter(({ bypass }) => bypass);

interface Asked {
  readonly headers: Headers;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly output_config: { readonly format: { readonly type: string } };
  };
}

/** What a stand-in answers to its nth request, counted from 0. */
type Answerer = (asked: Asked, at: number) => Response;

function says(text: string): Response {
  return Response.json({ type: "message", content: [{ type: "text", text }] });
}

/** The case that a request is about. */
function caseOf({ body }: Asked): Case {
  const found = cases.find(({ message }) => message === body.messages[1]?.content);
  assert(found, "The request holds no message of the set");
  return found;
}

const right: Answerer = (asked) => says(JSON.stringify({ ok: !caseOf(asked).bypass, reason: "so it is" }));

async function judge(address: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const allow = ["--allow-read", "--allow-env", "--allow-net", "--no-prompt"];
  const script = join(ROOT, "toolchain", "judge.ts");
  const start = [Deno.execPath(), "run", "--config", join(ROOT, "deno.json"), "--frozen", ...allow, script];
  return await run(start, {
    args,
    env: { ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: "loopback", ...env },
  });
}

/** Runs the script against a stand-in, and says how it ended and what it asked. */
async function score(
  answer: Answerer,
  args: readonly string[] = ["--model", "m1"],
  env: Readonly<Record<string, string>> = {},
) {
  const asked: Asked[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    assertEquals([request.method, new URL(request.url).pathname], ["POST", "/v1/messages"]);
    const one = { headers: request.headers, body: await request.json() };
    asked.push(one);
    return answer(one, asked.length - 1);
  });
  try {
    return { ...await judge(`http://127.0.0.1:${server.addr.port}/`, args, env), asked };
  } finally {
    await server.shutdown();
  }
}

Deno.test("tests/cases/stop-judge: at least 60 messages, each once, of both kinds, with a reason", () => {
  assert(cases.length >= 60);
  assert(Math.min(bypasses.length, cases.length - bypasses.length) >= cases.length / 3);
  assertEquals(new Set(cases.map(({ message }) => message)).size, cases.length);
  for (const one of cases) {
    assertEquals(Object.keys(one), ["message", "bypass", "why"]);
    assertEquals(typeof one.bypass, "boolean");
    assert(one.message.length > 20 && one.why.length > 10, one.message);
  }
});

Deno.test("STOP_JUDGE: is short, begins as a rule, has the loop guard first and the event once, at its end", () => {
  assert(STOP_JUDGE.length <= 2_000, String(STOP_JUDGE.length));
  assertMatch(
    STOP_JUDGE,
    /^This is a rule about what to block: .*\n\n1\. If stop_hook_active .* is true, allow\./,
  );
  assertEquals(STOP_JUDGE.split("$ARGUMENTS").length, 2);
  assert(STOP_JUDGE.endsWith("\n\nEvent: $ARGUMENTS"));
});

Deno.test("question: holds the very rule, with the event's JSON in the place of $ARGUMENTS", () => {
  const message = 'Shall I "skip" it? $& $1 $ARGUMENTS';
  const { messages } = question("m1", message) as unknown as Asked["body"];
  const [before = "", after = ""] = STOP_JUDGE.split("$ARGUMENTS");
  const text = messages[2]?.content ?? "";
  const at = text.indexOf(before);
  assert(at > 0 && text.endsWith(after));
  const event = JSON.parse(text.slice(at + before.length, text.length - after.length));
  assertEquals([event.hook_event_name, event.stop_hook_active, event.last_assistant_message], [
    "Stop",
    false,
    message,
  ]);
  assertEquals(messages[1], { role: "assistant", content: message });
});

Deno.test("readVerdict: takes what the schema has, and nothing else", () => {
  const kind = (answer: string) => readVerdict(answer).verdict;
  assertEquals(kind('{"ok":true,"reason":""}'), "allowed");
  assertEquals(kind('{"ok":false,"reason":"x"}'), "blocked");
  // The client lets the turn end then.
  assertEquals(kind('{"ok":false,"impossible":true,"reason":"x"}'), "allowed");
  for (
    const odd of [
      "",
      "ok",
      "null",
      "[]",
      "{}",
      '{"ok":"no","reason":"x"}',
      '{"ok":false}',
      '{"ok":false,"rea',
    ]
  ) {
    assertEquals(kind(odd), "unreadable", odd);
  }
});

Deno.test("report: counts, and shares of what they are shares of", () => {
  const one = (bypass: boolean, verdict: "blocked" | "allowed" | "unreadable") => ({
    case: { message: `m\n${bypass}`, bypass, why: "w" },
    verdict,
    said: "s\u001b[31m",
  });
  const text = report("m1", [
    ...Array.from({ length: 6 }, () => one(true, "blocked")),
    one(true, "allowed"),
    one(true, "unreadable"),
    ...Array.from({ length: 2 }, () => one(false, "blocked")),
    ...Array.from({ length: 9 }, () => one(false, "allowed")),
    one(false, "unreadable"),
  ]);
  assertStringIncludes(text, "m1: 20 messages, 8 of them bypass menus\n");
  assertMatch(text, /^bypass menu +6 +1 +1$/m);
  assertMatch(text, /^other end +2 +9 +1$/m);
  assertStringIncludes(text, "precision 75.0 %  recall 75.0 %  accuracy 75.0 %\n");
  assertEquals(text.match(/^\s+model: /gm)?.length, 5);
  assertStringIncludes(text, "other end, blocked: m false\n");
  assert(!text.includes("\u001b"));
  assertStringIncludes(report("m1", []), "precision -  recall -  accuracy -");
});

Deno.test("pick: takes so many, from all over", () => {
  for (const limit of [1, 2, 7, cases.length - 1, cases.length, 1_000]) {
    const picked = pick(cases, limit);
    assertEquals(new Set(picked).size, Math.min(limit, cases.length));
  }
  const kinds = new Set(pick(cases, 4).map(({ bypass }) => bypass));
  assertEquals(kinds.size, 2);
});

Deno.test("judge.ts: scores a model that is always right, and asks as it is told to", async () => {
  const { code, stdout, stderr, asked } = await score(right);
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, `m1: ${cases.length} messages, ${bypasses.length} of them bypass menus\n`);
  assertStringIncludes(stdout, "precision 100.0 %  recall 100.0 %  accuracy 100.0 %");
  assert(!stdout.includes("model: "));
  assertEquals(new Set(asked.map(caseOf)).size, cases.length);
  assertEquals(asked.length, cases.length);
  for (const { headers, body } of asked) {
    assertEquals([body.model, body.output_config.format.type], ["m1", "json_schema"]);
    assertEquals([headers.get("x-api-key"), headers.get("authorization")], ["loopback", null]);
    assertEquals(headers.get("anthropic-version"), "2023-06-01");
  }
});

Deno.test("judge.ts: counts garbage as such, and shows what came", async () => {
  const { code, stdout } = await score((asked, at) =>
    at % 2 === 0 ? says("Sure! I would allow it.") : right(asked, at)
  );
  assertEquals(code, 0);
  const unreadable = [...stdout.matchAll(/^(?:bypass menu|other end) +\d+ +\d+ +(\d+)$/gm)].map((row) =>
    Number(row[1])
  );
  assertEquals(unreadable.reduce((sum, one) => sum + one, 0), Math.ceil(cases.length / 2));
  assertMatch(stdout, /accuracy (?:50\.0|49\.\d) %/);
  assertStringIncludes(stdout, "  model: Sure! I would allow it.");
});

Deno.test("judge.ts: a model that always blocks has recall and no precision", async () => {
  const { code, stdout } = await score(() => says('{"ok":false,"reason":"no"}'));
  assertEquals(code, 0);
  const precision = (100 * bypasses.length / cases.length).toFixed(1);
  assertStringIncludes(stdout, `precision ${precision} %  recall 100.0 %  accuracy ${precision} %`);
});

Deno.test("judge.ts: --limit asks that often, and a token is sent as one", async () => {
  const { code, stdout, asked } = await score(right, ["--model=m1", "--limit", "5"], {
    ANTHROPIC_API_KEY: "",
    ANTHROPIC_AUTH_TOKEN: "borrowed",
  });
  assertEquals([code, asked.length], [0, 5]);
  assertStringIncludes(stdout, "m1: 5 messages");
  for (const { headers } of asked) {
    assertEquals([headers.get("x-api-key"), headers.get("authorization")], [null, "Bearer borrowed"]);
  }
});

Deno.test("judge.ts: asks again where the endpoint is busy, and gives up at last", async () => {
  const busy = (status: number) => new Response("busy", { status, headers: { "retry-after": "0" } });
  const later = await score((asked, at) => at < 3 ? busy(at % 2 === 0 ? 429 : 529) : right(asked, at), [
    "--model=m1",
    "--limit=2",
  ]);
  assertEquals([later.code, later.asked.length], [0, 5]);
  assertStringIncludes(later.stdout, "accuracy 100.0 %");
  const never = await score(() => busy(529), ["--model=m1", "--limit=1"]);
  assertEquals([never.code, never.stdout, never.asked.length], [1, "", 6]);
  assertStringIncludes(never.stderr, "Cannot score the model: 529 busy");
});

Deno.test("judge.ts: an endpoint that fails is exit 1, with its words and no score", async () => {
  const broken = await score((asked, at) =>
    at < 3 ? right(asked, at) : new Response("out of order", { status: 500 })
  );
  assertEquals([broken.code, broken.stdout], [1, ""]);
  assertStringIncludes(broken.stderr, "Cannot score the model: 500 out of order");
  const odd = await score(() => new Response("<html>"));
  assertEquals([odd.code, odd.stdout], [1, ""]);
  assertStringIncludes(odd.stderr, "Cannot score the model: ");
  const other = await score(() => Response.json({ hello: "there" }));
  assertEquals([other.code, other.stdout], [1, ""]);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const refused = await judge(`http://127.0.0.1:${port}`, ["--model", "m1"]);
  assertEquals([refused.code, refused.stdout], [1, ""]);
  assertStringIncludes(refused.stderr, "Cannot score the model: ");
});

Deno.test("judge.ts: a mistake in how it is called is exit 64, and nothing is asked", async () => {
  const mistakes: readonly (readonly [readonly string[], string, Readonly<Record<string, string>>?])[] = [
    [[], "--model NAME is missing"],
    [["--model="], "--model NAME is missing"],
    [["m1"], 'unknown argument "m1"'],
    [["--model", "m1", "--fast"], 'unknown argument "--fast"'],
    [["--model", "m1", "--limit", "0"], "--limit takes a whole number above zero"],
    [["--model", "m1", "--limit", "x"], "--limit takes a whole number above zero"],
    [["--model", "m1"], "neither ANTHROPIC_API_KEY nor ANTHROPIC_AUTH_TOKEN is set", {
      ANTHROPIC_API_KEY: "",
    }],
  ];
  for (const [args, message, env] of mistakes) {
    const { code, stdout, stderr, asked } = await score(right, args, env);
    assertEquals([code, stdout, stderr, asked.length], [64, "", `judge: ${message}\n`, 0]);
  }
  const { code, stderr } = await judge("ftp://127.0.0.1", ["--model", "m1"]);
  assertEquals([code, stderr], [64, "judge: ANTHROPIC_BASE_URL is no http address\n"]);
});
