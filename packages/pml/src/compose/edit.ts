import { jsonPointer } from "@toolingua/core/providers";
import { CallIds, type CallUnit } from "../convert/call-ids.js";
import { TurnOrder } from "../convert/turn-order.js";
import { PmlEditError, PmlTreeError } from "../errors.js";
import { isRecord } from "../is-record.js";
import { checkTree } from "../schema/check-tree.js";
import { isDeeper, isPlain, MOST_LEVELS } from "../schema/plain-json.js";
import type { PmlDocument, PmlMemoryItem, PmlMessage, PmlPart, PmlToolOutput, PmlTurn } from "../tree.js";
import { placeOf, type Where } from "./find.js";
import { eachPart } from "./parts.js";

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
 * `into` selects another turn or message.
 *
 * Errors: `PmlEditError` `not-found`, `ambiguous`, `bad-place`, `wrong-place`; `PmlTreeError` `bad-tree`.
 *
 * @example addToPml(document, { type: "attachment", kind: "file", path: "src/a.ts", content });
 */
export function addToPml(document: PmlDocument, given: PmlAddition, into?: Where): PmlDocument {
  checkTree(document);
  checkNode(given);
  const node = withoutUndefined(given);
  if (into !== undefined) {
    const { pointer, node: outer } = placeOf(document, into);
    const key = "messages" in outer ? "messages" : "parts" in outer ? "parts" : "attachments";
    return checked(
      withList(document, `${pointer}/${key}`, (list) => [...list, node]),
      node,
    );
  }
  if (!("type" in node))
    return checked(
      withTurns(document, (turns) => [...turns, node]),
      node,
    );
  switch (node.type) {
    case "fact":
    case "summary":
      return checked({ ...document, memory: [...(document.memory ?? []), node] }, node);
    case "system":
    case "user":
    case "assistant":
    case "tool_output":
      return checked(
        withTurns(document, (turns) => withMessage(turns, node)),
        node,
      );
    default: {
      const type = node.type === "call" || node.type === "thinking" ? "assistant" : "user";
      const message = lastMessage(document, type);
      if (message === undefined) return addToPml(document, { type, parts: [node] });
      return checked(
        withList(document, `${message}/parts`, (list) => [...list, node]),
        node,
      );
    }
  }
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
  checkTree(document);
  const { pointer, node: old } = placeOf(document, where);
  const given = typeof node === "function" ? node(old) : node;
  checkNode(given);
  const made = withoutUndefined(given);
  const { list, index } = parted(pointer);
  return checked(
    withList(document, list, (nodes) => nodes.with(index, made)),
    made,
  );
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
  checkTree(document);
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
  return {
    ...document,
    ...(memory && { memory: left(memory, "/memory", (item) => item) }),
    ...(conversation && {
      conversation: {
        ...conversation,
        turns: left(conversation.turns, "/conversation/turns", (turn, at) => {
          const messages = left(turn.messages, `${at}/messages`, message);
          return messages.length === 0 && turn.messages.length > 0 ? undefined : { ...turn, messages };
        }),
      },
    }),
  };
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
  const parted = new Set(
    units.flatMap(([path, unit]) => (path === pointer || path.startsWith(`${pointer}/`) ? [unit] : [])),
  );
  return new Set([pointer, ...units.flatMap(([path, unit]) => (parted.has(unit) ? [path] : []))]);
}

function withTurns(document: PmlDocument, change: (turns: readonly PmlTurn[]) => PmlTurn[]): PmlDocument {
  const { conversation = { turns: [] } } = document;
  return { ...document, conversation: { ...conversation, turns: change(conversation.turns) } };
}

function withMessage(turns: readonly PmlTurn[], node: PmlMessage | PmlToolOutput): PmlTurn[] {
  const last = turns.at(-1);
  const order = new TurnOrder();
  for (const { type } of last?.messages ?? []) order.begins(type);
  if (last && !order.begins(node.type)) return [...turns.slice(0, -1), { ...last, messages: [...last.messages, node] }];
  const index = last?.index === undefined ? turns.length + 1 : last.index + 1;
  return [...turns, { index, messages: [node] }];
}

/** The pointer to the last message; undefined if it has another type. */
function lastMessage({ conversation }: PmlDocument, type: string): string | undefined {
  const turns = conversation?.turns ?? [];
  const messages = turns.at(-1)?.messages ?? [];
  if (messages.at(-1)?.type !== type) return undefined;
  return `/conversation/turns/${turns.length - 1}/messages/${messages.length - 1}`;
}

/** Splits a pointer into that of a list and an index in it. */
function parted(pointer: string): { list: string; index: number } {
  const at = pointer.lastIndexOf("/");
  return { list: pointer.slice(0, at), index: Number(pointer.slice(at + 1)) };
}

/** The document with one list changed. Copies the objects on the way to it, and shares the others. */
function withList(document: PmlDocument, pointer: string, change: (list: readonly unknown[]) => unknown[]): unknown {
  const follow = (value: unknown, steps: readonly string[]): unknown => {
    const [step, ...rest] = steps;
    if (step === undefined) return change(Array.isArray(value) ? value : []);
    if (Array.isArray(value)) return value.with(Number(step), follow(value[Number(step)], rest));
    const object: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
    return { ...object, [step]: follow(object[step], rest) };
  };
  return follow(document, pointer.split("/").slice(1));
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
  return isDeeper(data, MOST_LEVELS) ? data : defined(data);
}

function defined(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(defined);
  if (!isRecord(data) || !isPlain(data)) return data;
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, defined(value)]));
}

/** Checks that the node is allowed at its new place. */
function checked(document: unknown, node: object): PmlDocument {
  try {
    checkTree(document);
    return document;
  } catch (error) {
    if (!(error instanceof PmlTreeError)) throw error;
    const type = "type" in node ? `<${String(node.type)}>` : "A turn";
    throw new PmlEditError("wrong-place", `${type} is not allowed there, or is not a valid node: ${error.message}`, {
      cause: error,
    });
  }
}
