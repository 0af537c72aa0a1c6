import { oneCallATurn } from "../../src/common/one-call-a-turn.js";
import type { Loss } from "../../src/providers/index.js";
import { join } from "../../src/schema/json.js";
import type { ChatMessage, ToolDefinition } from "../../src/types.js";

// Explains differences by reported losses: the law of round trips is that nothing else differs.

/** The same tool in one form: arguments are an object in any case, and the order of alternatives says nothing. */
export function canonicalTool({ parameters = true, ...tool }: ToolDefinition): ToolDefinition {
  const root = parameters === true ? {} : parameters === false ? { not: {} } : parameters;
  const { type = "object", properties = {}, required = [], ...rest } = sorted(root) as { [key: string]: unknown };
  return { ...tool, parameters: { ...rest, type, properties, required } };
}

/** The tool without the names that its losses report as not required: later ones move up in the list. */
export function withoutUnrequired(tool: ToolDefinition, losses: readonly Loss[]): ToolDefinition {
  const named = new Set(losses.filter(({ what }) => what === "required").map(({ path }) => path));
  const strip = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      const kept = value.map((item, i) => [item, `${path}/${i}`] as const).filter(([, at]) => !named.has(at));
      return kept.map(([item, at]) => strip(item, at));
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, strip(part, join(path, key))]));
  };
  return canonicalTool(strip(tool, "/0") as ToolDefinition);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entry = ([key, part]: [string, unknown]) =>
    [key, (key === "type" || key === "enum") && Array.isArray(part) ? [...part].sort() : sorted(part)] as const;
  return Object.fromEntries(Object.entries(value).map(entry));
}

/** Where two values differ, as JSON pointers. */
export function differences(a: unknown, b: unknown, path = ""): string[] {
  if (Object.is(a, b)) return [];
  if (
    typeof a !== "object" ||
    typeof b !== "object" ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  ) {
    return [path];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const at = (object: object, key: string) =>
    Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
  return [...keys].flatMap((key) => differences(at(a, key), at(b, key), join(path, key)));
}

/** A loss explains the differences at its place and below, and no others. */
const explains = ({ path, instead = [] }: Loss, difference: string) =>
  [path, ...instead].some((place) => difference === place || difference.startsWith(`${place}/`));
/** The differences that no loss explains. */
export const unexplained = (found: readonly string[], losses: readonly Loss[]) =>
  found.filter((difference) => !losses.some((loss) => explains(loss, difference)));

/**
 * Messages that had to be moved or split, without what is reported by the places they had: what is said, called and
 * answered, in its order, is the same all the same.
 */
export function rearranged(messages: readonly ChatMessage[], losses: readonly Loss[]): unknown {
  const has = (kind: string) => losses.some(({ what }) => what === kind);
  const isSystem = ({ role }: ChatMessage) => role === "system";
  const moved = has("system") ? [...messages.filter(isSystem), ...messages.filter((one) => !isSystem(one))] : messages;
  return (has("toolCalls") ? oneCallATurn(moved) : moved).map((message) => {
    if (message.role === "tool") return { role: message.role, name: message.name, content: message.content };
    if (message.role !== "assistant") return message;
    const calls = (message.toolCalls ?? []).map(({ name, arguments: given }) => ({ name, given }));
    return { role: message.role, content: message.content, calls };
  });
}

/** The messages without those that were left out, and the losses by the places that the others have then. */
export function withoutEmpty(messages: readonly ChatMessage[], losses: readonly Loss[]) {
  const gone = new Set(losses.filter(({ what }) => what === "empty").map(({ path }) => path));
  const kept = messages.map((message, i) => ({ message, i })).filter(({ i }) => !gone.has(`/messages/${i}`));
  const now = new Map(kept.map(({ i }, at) => [String(i), at]));
  const place = (path: string) => path.replace(/^\/messages\/(\d+)/, (_, i: string) => `/messages/${now.get(i)}`);
  const moved = losses
    .filter(({ path }) => !gone.has(path))
    .map((loss) => ({ ...loss, path: place(loss.path), instead: (loss.instead ?? []).map(place) }));
  return { messages: kept.map(({ message }) => message), losses: moved };
}
