import { jsonPointer } from "@toolingua/core/adapters";

/** Gives how many messages are read of a request. */
type CountMessages = (request: Record<string, unknown>) => number;

const LISTS = ["messages", "input", "contents"];
const SYSTEM = ["system", "instructions", "systemInstruction"];
const CHOICES = ["tool_choice", "function_call", "toolConfig"];
const TOOLS = ["tools", "functions"];

/**
 * Maps places in the conversation that was read of a provider's request to places in the request: `/messages/3/content`
 * to the item of its list that the message was read of, or to the list where one message comes of several items.
 */
export function requestPlaces(
  request: Record<string, unknown>,
  messages: number,
  count: CountMessages,
): (path: string) => string {
  const fieldOf = (names: readonly string[]) => names.find((name) => request[name] != null);
  const place = (names: readonly string[]) => jsonPointer("", ...names.filter((name) => name === fieldOf(names)));
  const list = LISTS.find((name) => Array.isArray(request[name]));
  const items = list === undefined ? undefined : itemOfEach(request, list, messages, count);
  return (path) => {
    const [, index] = /^\/messages\/(\d+)/.exec(path) ?? [];
    if (index !== undefined) {
      const item = items?.[Number(index)];
      if (item === undefined) return place(LISTS);
      return item === "system" ? place(SYSTEM) : jsonPointer(place(LISTS), item);
    }
    if (path.startsWith("/toolChoice")) return place(CHOICES);
    return path.startsWith("/tools") ? place(TOOLS) : "";
  };
}

/** For each message, the item of the list that it was read of. `undefined` where the items are not read one by one. */
function itemOfEach(
  request: Record<string, unknown>,
  list: string,
  messages: number,
  count: CountMessages,
): ("system" | number)[] | undefined {
  const given = request[list];
  if (!Array.isArray(given)) return undefined;
  const countOf = (items: unknown[]) => count({ ...request, [list]: items });
  try {
    const system = countOf([]);
    const items = [
      ...Array.from({ length: system }, () => "system" as const),
      ...given.flatMap((item: unknown, i) => Array.from({ length: countOf([item]) - system }, () => i)),
    ];
    return items.length === messages ? items : undefined;
  } catch {
    // An item that needs others, such as the output of a call, cannot be read alone.
    return undefined;
  }
}
