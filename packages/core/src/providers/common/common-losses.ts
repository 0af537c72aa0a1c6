import { isMisspelling } from "../../common/nearest-name.js";
import { callsOf } from "../../common/one-call-a-turn.js";
import { isObject } from "../../common/plain-object.js";
import { join } from "../../schema/json.js";
import type { ChatMessage } from "../../types.js";
import { withCheckedOptions } from "./checked-options.js";
import type { Converted, Loss, OwnFormat, ProviderFormat, ProviderShapes, WritableConversation } from "./types.js";
import { writableTools } from "./writable-tools.js";

// Losses that are the same for all formats: input that every API refuses, or that has no counterpart here.

/**
 * The same format, which also checks its input and options, and reports duplicate tool names, unanswered calls, one call at a
 * time, and misspelt fields of a request. `fields`: those that are read, the messages first.
 */
export function withCommonLosses<S extends ProviderShapes>(
  format: OwnFormat<S>,
  fields: readonly [messages: string, ...others: string[]],
): ProviderFormat<S> {
  return withCheckedOptions({
    ...format,
    toTools: (given, options) => {
      const tools = writableTools(given, "");
      return also(format.toTools(tools, options), repeatedNames(tools, ""));
    },
    fromTools: (tools) => {
      const read = format.fromTools(tools);
      return also(read, repeatedNames(read.value, ""));
    },
    toRequest: (given, options) => {
      const tools = given.tools && writableTools(given.tools, "/tools");
      const conversation = tools ? { ...given, tools } : (given as WritableConversation);
      const written = format.toRequest(conversation, options);
      const { messages } = given;
      const answers = unanswered(messages, (i) => join("/messages", i));
      return also(written, [...repeatedNames(tools ?? [], "/tools"), ...answers, ...ofOthers(messages, format.name)]);
    },
    fromRequest: (request, options) => {
      const read = format.fromRequest(request, options);
      const { messages, tools = [] } = read.value;
      const at = join("", fields[0]);
      const { value, losses } = also(read, [...repeatedNames(tools, "/tools"), ...unanswered(messages, () => at)]);
      return also({ value, losses }, [...oneAtATime(request), ...misspelt(request, fields)]);
    },
  });
}

const also = <T>({ value, losses }: Converted<T>, more: readonly Loss[]): Converted<T> => ({
  value,
  losses: more.length > 0 ? [...losses, ...more] : losses,
});

/** Other fields are settings of the model, which no conversation has. */
function misspelt(request: unknown, fields: readonly string[]): Loss[] {
  if (!isObject(request)) return [];
  return Object.keys(request).flatMap((key) => {
    const meant = fields.find((field) => !(field in request) && isMisspelling(key, field));
    if (meant === undefined || fields.includes(key)) return [];
    return [{ path: join("", key), what: key, why: `is not read. Did you mean ${JSON.stringify(meant)}?` }];
  });
}

function repeatedNames(tools: readonly { name: string }[], at: string): Loss[] {
  const names = new Set<string>();
  return tools.flatMap(({ name }, i) => {
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    const why = `another tool is named ${JSON.stringify(name)} too: the APIs refuse that, and a call could mean either`;
    return [{ path: join(at, i, "name"), what: "name", why }];
  });
}

/** Reports calls without a result, except those of the last turn, which may still be running. */
function unanswered(messages: readonly ChatMessage[], pathOf: (message: number) => string): Loss[] {
  const answeredAt = new Map<string, number>();
  messages.forEach((message, i) => {
    if (message.role === "tool") answeredAt.set(message.toolCallId, i);
  });
  const lastSpoken = messages.findLastIndex(({ role }) => role !== "tool");
  return messages.slice(0, Math.max(lastSpoken, 0)).flatMap((message, i) =>
    callsOf(message)
      .filter(({ id }) => (answeredAt.get(id) ?? -1) < i)
      .map(({ id, name }) => {
        const why = `the call has no result ${JSON.stringify(id)} of ${JSON.stringify(name)}: the APIs refuse that`;
        return { path: pathOf(i), what: "result", why };
      }),
  );
}

/** Reports originals of other providers, which only their own provider accepts. */
function ofOthers(messages: readonly ChatMessage[], format: string): Loss[] {
  return messages.flatMap((message, i) => {
    const { original } = message as { original?: { format: string } };
    if (original === undefined || original.format === format) return [];
    const why = `holds thoughts that are signed for ${original.format}; no other API takes them`;
    return [{ path: join("/messages", i, "original"), what: "original", why }];
  });
}

function oneAtATime(request: unknown): Loss[] {
  if (!isObject(request) || request.parallel_tool_calls !== false) return [];
  const why = "is an option of the turn here: `parallel: false`";
  return [{ path: "/parallel_tool_calls", what: "parallel_tool_calls", why }];
}
