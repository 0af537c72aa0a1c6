import { isObject, jsonPointer } from "@toolingua/core/adapters";
import { CallIds, type CallUnit } from "../convert/call-ids.js";
import { TurnOrder } from "../convert/turn-order.js";
import { PmlEditError, PmlTreeError } from "../errors.js";
import { checkTree } from "../schema/check-tree.js";
import { isDeeper, isPlain, MAX_LEVELS } from "../schema/plain-json.js";
import type { PmlDocument, PmlMemoryItem, PmlMessage, PmlPart, PmlToolOutput, PmlTurn } from "../tree.js";
import { checkOnce, valid } from "./checked-documents.js";
import { placeOf, type Where } from "./find.js";
import { eachPart } from "./parts.js";

/** The pointer to the turns of a document. */
const TURNS = "/conversation/turns";

/** What can be added to a document. */
export type PmlAddition = PmlMemoryItem | PmlTurn | PmlMessage | PmlPart;

/**
 * Adds a node to a document. Returns a new document; the given one is not changed.
 *
 * - a fact or a summary: in the memory
 * - a turn: at the end; a message, or the output of a call: in the last turn, or in a new one if a user speaks after an
 *   answer
 * - a call, or thinking: at the end of the assistant's message; any other part (text, attachment, edit, …): at the end
 *   of the user's message. If the last message is another's, in a new message
 *
 * `into` selects another turn or message. A document that was given before, or was returned from here, is not checked
 * again: do not change it in place.
 *
 * Errors: `PmlEditError` `not-found`, `ambiguous`, `bad-place`, `wrong-place`; `PmlTreeError` `bad-tree`.
 *
 * @example addToPml(document, { type: "attachment", kind: "file", path: "src/a.ts", content });
 */
export function addToPml(document: PmlDocument, given: PmlAddition, into?: Where): PmlDocument {
  checkOnce(document);
  checkNode(given);
  const { list, node } = placeFor(document, withoutUndefined(given), into);
  return changed(document, { list, node, given }, (nodes) => [...nodes, node]);
}

/** The list to which a node is added, and the node itself or a new turn or message around it. */
function placeFor(document: PmlDocument, node: PmlAddition, into?: Where): { list: string; node: PmlAddition } {
  if (into !== undefined) {
    const { pointer, node: outer } = placeOf(document, into);
    return {
      list: `${pointer}/${"messages" in outer ? "messages" : "parts" in outer ? "parts" : "attachments"}`,
      node,
    };
  }
  if (!("type" in node)) return { list: TURNS, node };
  switch (node.type) {
    case "fact":
    case "summary":
      return { list: "/memory", node };
    case "system":
    case "user":
    case "assistant":
    case "tool_output":
      return placeForMessage(document, node);
    default: {
      const type = node.type === "call" || node.type === "thinking" ? "assistant" : "user";
      const message = lastMessage(document, type);
      if (message !== undefined) return { list: `${message}/parts`, node };
      return placeForMessage(document, { type, parts: [node] });
    }
  }
}

function placeForMessage(document: PmlDocument, node: PmlMessage | PmlToolOutput): { list: string; node: PmlAddition } {
  const turns = document.conversation?.turns ?? [];
  const last = turns.at(-1);
  const order = new TurnOrder();
  for (const { type } of last?.messages ?? []) order.begins(type);
  if (last && !order.begins(node.type)) return { list: `${TURNS}/${turns.length - 1}/messages`, node };
  const index = last?.index === undefined ? turns.length + 1 : last.index + 1;
  return { list: TURNS, node: { index, messages: [node] } };
}

/**
 * Replaces a node of a document. A function receives the current node.
 *
 * Errors: those of {@link addToPml}.
 *
 * @example replaceInPml(document, "#plan", { type: "fact", id: "plan", text: "Ship on Friday." });
 */
export function replaceInPml(
  document: PmlDocument,
  where: Where,
  node: PmlAddition | ((old: Record<string, unknown>) => object),
): PmlDocument {
  checkOnce(document);
  const { pointer, node: old } = placeOf(document, where);
  const given = typeof node === "function" ? node(old) : node;
  checkNode(given);
  const made = withoutUndefined(given);
  const { list, index } = parted(pointer);
  return changed(document, { list, node: made, given: made }, (nodes) => nodes.with(index, made));
}

/**
 * Removes a node from a document. A call is removed with its outputs, and an output with its call, also inside a
 * removed message or turn. A message or turn without any content left is removed as well.
 *
 * Errors: `PmlEditError` `not-found`, `ambiguous`, `bad-place`; `PmlTreeError` `bad-tree`.
 *
 * @example removeFromPml(document, { path: "src/old.ts" });
 */
export function removeFromPml(document: PmlDocument, where: Where): PmlDocument {
  checkOnce(document);
  const gone = goneWith(document, placeOf(document, where).pointer);
  /** The remaining items of a list and of their contents; an item that has lost all its contents is removed as well. */
  const left = <Node>(nodes: readonly Node[], path: string, inside: (node: Node, at: string) => Node | undefined) =>
    nodes.flatMap((one, i): Node[] => {
      const at = jsonPointer(path, i);
      const kept = gone.has(at) ? undefined : inside(one, at);
      return kept === undefined ? [] : [kept];
    });
  const output = ({ attachments = [], ...one }: PmlToolOutput, at: string): PmlToolOutput => {
    const kept = left(attachments, `${at}/attachments`, (attachment) => attachment);
    return { ...one, ...(kept.length > 0 && { attachments: kept }) };
  };
  const message = (one: PmlMessage | PmlToolOutput, at: string): PmlMessage | PmlToolOutput | undefined => {
    if (one.type === "tool_output") return output(one, at);
    const parts = left(one.parts, `${at}/parts`, (part, inner) =>
      part.type === "tool_output" ? output(part, inner) : part,
    );
    return parts.length === 0 && one.parts.length > 0 ? undefined : { ...one, parts };
  };
  const { memory, conversation } = document;
  return valid({
    ...document,
    ...(memory && { memory: left(memory, "/memory", (item) => item) }),
    ...(conversation && {
      conversation: {
        ...conversation,
        turns: left(conversation.turns, TURNS, (turn, at) => {
          const messages = left(turn.messages, `${at}/messages`, message);
          return messages.length === 0 && turn.messages.length > 0 ? undefined : { ...turn, messages };
        }),
      },
    }),
  });
}

/**
 * The pointers of the nodes to remove with one: the node itself, and the other half of each call that it is or
 * contains.
 */
function goneWith(document: PmlDocument, pointer: string): ReadonlySet<string> {
  const ids = new CallIds();
  ids.reserve(document.conversation?.turns ?? []);
  const units: [pointer: string, unit: CallUnit][] = [];
  eachPart(document, (part, path) => {
    if (part.type === "call") units.push([path, ids.called(part)]);
    if (part.type === "tool_output") units.push([path, ids.answered(part).unit]);
    return part;
  });
  const unitsRemoved = new Set(
    units.flatMap(([path, unit]) => (path === pointer || path.startsWith(`${pointer}/`) ? [unit] : [])),
  );
  return new Set([pointer, ...units.flatMap(([path, unit]) => (unitsRemoved.has(unit) ? [path] : []))]);
}

/** The pointer to the last message; undefined if it has another type. */
function lastMessage({ conversation }: PmlDocument, type: string): string | undefined {
  const turns = conversation?.turns ?? [];
  const messages = turns.at(-1)?.messages ?? [];
  if (messages.at(-1)?.type !== type) return undefined;
  return `${TURNS}/${turns.length - 1}/messages/${messages.length - 1}`;
}

/** Splits a pointer into that of a list and an index in it. */
function parted(pointer: string): { list: string; index: number } {
  const at = pointer.lastIndexOf("/");
  return { list: pointer.slice(0, at), index: Number(pointer.slice(at + 1)) };
}

/**
 * The document with one list changed, in which only the new node is checked. Copies that list, and the lists and objects
 * on the way to it; the new document shares the others with the old one.
 */
function changed(
  document: PmlDocument,
  { list, node, given }: { list: string; node: object; given: object },
  change: (nodes: readonly unknown[]) => unknown[],
): PmlDocument {
  const steps = list.split("/").slice(1);
  const made = withList(document, steps, change);
  try {
    checkTree(alone(document, steps, node));
  } catch (error) {
    if (!(error instanceof PmlTreeError)) throw error;
    refuse(made, given);
  }
  return valid(made);
}

function withList(
  document: PmlDocument,
  path: readonly string[],
  change: (nodes: readonly unknown[]) => unknown[],
): PmlDocument {
  const follow = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return change(Array.isArray(value) ? value : []);
    if (Array.isArray(value)) return value.with(Number(step), follow(value[Number(step)], rest));
    const object: Record<string, unknown> = isObject(value) ? { ...value } : {};
    return { ...object, [step]: follow(object[step], rest) };
  };
  const [step = "", ...rest] = path;
  const fields: Record<string, unknown> = { ...document };
  return { ...document, [step]: follow(fields[step], rest) };
}

/** A document with this node alone in the list, and of the nodes around it only their own fields. */
function alone(value: unknown, [step, ...rest]: readonly string[], node: object): unknown {
  if (step === undefined) return [node];
  if (Array.isArray(value)) return [alone(value[Number(step)], rest, node)];
  const object: Record<string, unknown> = isObject(value) ? value : {};
  const fields = Object.entries(object).filter(([, field]) => typeof field !== "object");
  return { ...Object.fromEntries(fields), [step]: alone(object[step], rest, node) };
}

function checkNode(node: unknown): void {
  if (typeof node === "object" && node !== null) return;
  const given = node === null ? "null" : typeof node;
  throw new PmlEditError(
    "wrong-place",
    `A node of a document is an object, such as { type: "text", text }, not ${given}.`,
  );
}

/** The data without the fields whose value is `undefined`: `{ id: undefined }` has no id. */
function withoutUndefined<Node>(data: Node): Node;
function withoutUndefined(data: unknown): unknown {
  return isDeeper(data, MAX_LEVELS) ? data : defined(data);
}

function defined(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(defined);
  if (!isObject(data) || !isPlain(data)) return data;
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, defined(value)]));
}

/** Refuses a node that is not allowed at its new place. */
function refuse(document: PmlDocument, node: object): void {
  try {
    checkTree(document);
  } catch (error) {
    if (!(error instanceof PmlTreeError)) throw error;
    const type = "type" in node ? `<${String(node.type)}>` : "A turn";
    throw new PmlEditError("wrong-place", `${type} is not allowed there, or is not a valid node: ${error.message}`, {
      cause: error,
    });
  }
}
