/** Our hooks in a settings file of Claude Code, which is edited as text: every byte that is not ours stays. */
import type { ArrayNode, MemberNode, ObjectNode, ValueNode } from "@humanwhocodes/momoa";
import { unreadable } from "../harness/claude-settings-shape.ts";
import type { Wiring } from "../harness/claude-wiring.ts";
import { type Bytes, decode, encode, splitBom } from "./bytes.ts";
import { InstallError } from "./error.ts";
import { nameOf, parseFile, refuseNode } from "./json.ts";
import { hasOwnName } from "./program.ts";

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function find(node: ObjectNode, name: string): MemberNode | undefined {
  return node.members.find((member) => nameOf(member) === name);
}

/** The largest settings file that the client reads, in bytes (measured with 2.1.332). */
const SETTINGS_LIMIT = 4 * 1024 * 1024;

const WORDS: Readonly<Record<string, string>> = { Object: "an object", Array: "an array" };

function expect(node: ValueNode, type: ValueNode["type"], what: string): void {
  if (node.type !== type) refuseNode(node, `${what} must be ${WORDS[type]}`);
}

/** Refuses what hooks cannot be put into or taken out of. */
function check(node: ValueNode): void {
  if (node.type !== "Object") return refuseNode(node, "the file must hold an object");
  const hooks = find(node, "hooks")?.value;
  if (!hooks) return;
  expect(hooks, "Object", '"hooks"');
  for (const event of hooks.type === "Object" ? hooks.members : []) {
    expect(event.value, "Array", `"hooks.${nameOf(event)}"`);
    for (const { value } of event.value.type === "Array" ? event.value.elements : []) {
      expect(value, "Object", `a group of "hooks.${nameOf(event)}"`);
    }
  }
}

/** The document of a settings file, with places in bytes from the end of a BOM. Throws InstallError. */
function open(bytes: Bytes): ObjectNode {
  const { checked, node } = parseFile(bytes);
  check(checked);
  return node.type === "Object" ? node : refuseNode(node, "the file must hold an object");
}

/** What a settings file says. Throws InstallError with line and column where the client would not read it. */
export function readSettings(bytes: Bytes): Readonly<Record<string, unknown>> {
  check(parseFile(bytes).checked);
  const value: unknown = JSON.parse(decode(bytes));
  return isRecord(value) ? value : {};
}

function checkSize(bytes: Bytes): void {
  if (bytes.length <= SETTINGS_LIMIT) return;
  throw new InstallError(
    `larger than ${SETTINGS_LIMIT / 1024 / 1024} MiB, and the client reads no such file`,
  );
}

/** The value that keys lead to, with dots between them; the last one that is there. */
function locate(node: ValueNode, path: string): ValueNode {
  const children: readonly (readonly [name: string, value: ValueNode])[] = node.type === "Object"
    ? node.members.map((member) => [nameOf(member), member.value])
    : node.type === "Array"
    ? node.elements.map(({ value }, at) => [String(at), value])
    : [];
  const [name = "", value] = children.find(([name]) => path === name || path.startsWith(`${name}.`)) ?? [];
  return value ? locate(value, path.slice(name.length + 1)) : node;
}

/**
 * The same of a file of which the client reads all. Throws InstallError with the key where it would not: of a file
 * that is too large, or in which any key has a value that it does not know, it reads nothing and says nothing.
 */
export function readObeyed(bytes: Bytes): Readonly<Record<string, unknown>> {
  checkSize(bytes);
  const settings = readSettings(bytes);
  const fault = unreadable(settings);
  if (fault) {
    const { path, problem } = fault;
    refuseNode(
      locate(parseFile(bytes).checked, path),
      `"${path}" ${problem}, and so the client reads nothing of the file`,
    );
  }
  return settings;
}

/** What the question has said in every version, by which an older one is known. */
const JUDGE = ["bypass menu", "stop_hook_active", "$ARGUMENTS"];

/** Whether a handler is one of ours: the program by its arguments, whatever its path; the judge by its question. */
export function isOurs(handler: unknown): boolean {
  if (!isRecord(handler)) return false;
  const { type, command, args, prompt } = handler;
  if (type === "prompt") return typeof prompt === "string" && JUDGE.every((words) => prompt.includes(words));
  return type === "command" && typeof command === "string" && Array.isArray(args) &&
    args[0] === "-z" && args[1] === "hook" && args.includes("--harness") &&
    hasOwnName(command);
}

function handlersOf(group: unknown): readonly unknown[] {
  return isRecord(group) && Array.isArray(group["hooks"]) ? group["hooks"] : [];
}

/** Our own groups in settings, by event; a group that others share counts with our handlers alone. */
export function ownHooks(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown[]>> {
  const hooks = isRecord(settings["hooks"]) ? settings["hooks"] : {};
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([event, groups]) => {
      const own = (Array.isArray(groups) ? groups : []).flatMap((group) => {
        const handlers = handlersOf(group).filter(isOurs);
        return handlers.length > 0 ? [{ ...group, hooks: handlers }] : [];
      });
      return own.length > 0 ? [[event, own]] : [];
    }),
  );
}

/** A value with the keys of its objects in order, as text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => one < other ? -1 : 1));
  });
}

/** Whether settings have just this wiring of ours. */
export function isWired(settings: Readonly<Record<string, unknown>>, wiring: Wiring): boolean {
  return canonical(ownHooks(settings)) === canonical(wiring);
}

/** The programs that our handlers in settings start. */
export function wiredPrograms(settings: Readonly<Record<string, unknown>>): readonly string[] {
  const handlers = Object.values(ownHooks(settings)).flat().flatMap(handlersOf);
  const commands = handlers.flatMap((handler) =>
    isRecord(handler) && typeof handler["command"] === "string" ? [handler["command"]] : []
  );
  return [...new Set(commands)];
}

/** Replaces what stands between two places. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: Bytes;
}

/** Makes an edit of a document, if there is one to make. */
function edit(bytes: Bytes, find: (root: ObjectNode, body: Bytes) => Edit | undefined): Bytes {
  const { bom, body } = splitBom(bytes);
  const found = find(open(bytes), body);
  return found ? bom + body.slice(0, found.start) + found.text + body.slice(found.end) : bytes;
}

type Container = ObjectNode | ArrayNode;

function childrenOf(node: Container): readonly (MemberNode | ArrayNode["elements"][number])[] {
  return node.type === "Object" ? node.members : node.elements;
}

/** How a file is laid out. */
interface Layout {
  readonly body: Bytes;
  readonly end: string;
  /** What a level is indented by; undefined where all stands in one line. */
  readonly unit: string | undefined;
}

/** The spaces or tabs that the line of a place begins with. */
function indentAt(body: Bytes, offset: number): string {
  return /^[ \t]*/.exec(body.slice(body.lastIndexOf("\n", offset - 1) + 1, offset))?.[0] ?? "";
}

function layoutOf(body: Bytes, root: ObjectNode): Layout {
  const end = /^[^\n]*\r\n/.test(body) ? "\r\n" : "\n";
  const first = root.members[0]?.loc.start.offset;
  if (first === undefined) return { body, end, unit: "  " };
  if (!body.slice(root.loc.start.offset, first).includes("\n")) return { body, end, unit: undefined };
  return { body, end, unit: indentAt(body, first) || "  " };
}

/** A value as JSON that stands at an indentation, its first line apart. */
function render(value: unknown, { end, unit }: Layout, indent: string): Bytes {
  const text = encode(JSON.stringify(value, null, unit) ?? "null");
  return unit === undefined ? text : text.replaceAll("\n", end + indent);
}

/** Puts something behind the last child of an object or array. */
function append(node: Container, name: string | undefined, value: unknown, layout: Layout): Edit {
  const { body, end, unit } = layout;
  const put = (indent: string) => {
    const text = render(value, layout, indent);
    return name === undefined
      ? text
      : `${encode(JSON.stringify(name))}:${unit === undefined ? "" : " "}${text}`;
  };
  const at = (place: number, text: Bytes): Edit => ({ start: place, end: place, text });
  const open = node.loc.start.offset + 1;
  const children = childrenOf(node);
  const [first, last] = [children[0], children.at(-1)];
  if (first && last) {
    const start = first.loc.start.offset;
    const multiline = unit !== undefined && body.slice(open, start).includes("\n");
    const indent = indentAt(body, start);
    return at(last.loc.end.offset, multiline ? `,${end}${indent}${put(indent)}` : `,${put(indent)}`);
  }
  if (unit === undefined) return at(open, put(""));
  const indent = indentAt(body, open);
  const inside = `${end}${indent}${unit}${put(indent + unit)}`;
  const inner = body.slice(open, node.loc.end.offset - 1);
  return at(open, inner.includes("\n") ? inside : `${inside}${end}${indent}`);
}

/**
 * Adds groups of hooks behind those that are there, and the objects and arrays that they stand in where those are
 * missing. Only inserts. Throws InstallError where the client would not read the file.
 */
export function addHooks(bytes: Bytes, wiring: Readonly<Record<string, readonly unknown[]>>): Bytes {
  const add = (text: Bytes, event: string, group?: unknown): Bytes =>
    edit(text, (root, body) => {
      const layout = layoutOf(body, root);
      const hooks = find(root, "hooks")?.value;
      if (hooks?.type !== "Object") return append(root, "hooks", wiring, layout);
      const groups = find(hooks, event)?.value;
      if (groups?.type !== "Array") return append(hooks, event, wiring[event], layout);
      return group === undefined ? undefined : append(groups, undefined, group, layout);
    });
  // A place is true until the next insertion, so each is found anew.
  const present = readSettings(bytes)["hooks"];
  if (!isRecord(present)) return add(bytes, "");
  return Object.entries(wiring).reduce(
    (text, [event, groups]) =>
      Object.hasOwn(present, event)
        ? groups.reduce<Bytes>((text, group) => add(text, event, group), text)
        : add(text, event),
    bytes,
  );
}

/** Takes a child out of an object or array, with the comma beside it. */
function remove(node: Container, at: number): Edit {
  const children = childrenOf(node);
  const [before, child, after] = [children[at - 1], children[at], children[at + 1]];
  if (before && child) return { start: before.loc.end.offset, end: child.loc.end.offset, text: "" };
  if (after && child) return { start: child.loc.start.offset, end: after.loc.start.offset, text: "" };
  return { start: node.loc.start.offset + 1, end: node.loc.end.offset - 1, text: "" };
}

/** Which groups of hooks, or handlers of a group, are to go; undefined where none is. */
function findOwn(groups: ArrayNode, body: Bytes): Edit | undefined {
  for (const [at, { value: group }] of groups.elements.entries()) {
    const handlers = group.type === "Object" ? find(group, "hooks")?.value : undefined;
    if (handlers?.type !== "Array") continue;
    const own = handlers.elements.map(({ loc }) =>
      isOurs(JSON.parse(decode(body.slice(loc.start.offset, loc.end.offset))))
    );
    const first = own.indexOf(true);
    if (first >= 0) return own.includes(false) ? remove(handlers, first) : remove(groups, at);
  }
  return undefined;
}

/**
 * Takes our hooks out, and what holds nothing without them. Throws InstallError where the client would not read the
 * file.
 *
 * @param kept Settings whose events, and object of hooks, stay though they be empty.
 */
export function takeHooks(bytes: Bytes, kept: Readonly<Record<string, unknown>> = {}): Bytes {
  const own = Object.keys(ownHooks(readSettings(bytes)));
  if (own.length === 0) return bytes;
  const keptHooks = isRecord(kept["hooks"]) ? kept["hooks"] : undefined;
  const next = (root: ObjectNode, body: Bytes): Edit | undefined => {
    const hooks = find(root, "hooks")?.value;
    if (hooks?.type !== "Object") return undefined;
    for (const [at, { value: groups, ...member }] of hooks.members.entries()) {
      if (groups.type !== "Array") continue;
      const found = findOwn(groups, body);
      if (found) return found;
      const name = nameOf({ value: groups, ...member });
      const idle = groups.elements.length === 0 && own.includes(name) &&
        !Object.hasOwn(keptHooks ?? {}, name);
      if (idle) return remove(hooks, at);
    }
    if (hooks.members.length > 0 || keptHooks) return undefined;
    return remove(root, root.members.findIndex((member) => nameOf(member) === "hooks"));
  };
  for (let text = bytes;;) {
    const after = edit(text, next);
    if (after === text) return text;
    text = after;
  }
}

/** Puts the hooks of ours that other settings have in the place of those that are there. Throws as putHooks does. */
export function restoreHooks(bytes: Bytes, held: Readonly<Record<string, unknown>>): Bytes {
  const own = ownHooks(held);
  return canonical(ownHooks(readSettings(bytes))) === canonical(own)
    ? bytes
    : addHooks(takeHooks(bytes, held), own);
}

function placeHooks(bytes: Bytes | undefined, wiring: Wiring): Bytes {
  if (bytes === undefined || splitBom(bytes).body.trim() === "") {
    return `${bytes ?? ""}${encode(JSON.stringify({ hooks: wiring }, null, 2))}\n`;
  }
  const settings = readSettings(bytes);
  return isWired(settings, wiring) ? bytes : addHooks(takeHooks(bytes, settings), wiring);
}

/**
 * The file with just this wiring of ours, in the place of another one; the same bytes where it is there already.
 * Throws InstallError where the client would not read the file, or would not find the wiring in it.
 *
 * @param bytes undefined where there is no file.
 */
export function putHooks(bytes: Bytes | undefined, wiring: Wiring): Bytes {
  checkSize(bytes ?? "");
  const after = placeHooks(bytes, wiring);
  if (!isWired(readObeyed(after), wiring)) {
    throw new InstallError("nonzero would not know its hooks there again");
  }
  return after;
}
