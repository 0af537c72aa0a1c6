import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneCallATurn } from "../one-call-a-turn.js";
import { compileSchema } from "../schema/compile.js";
import type { ChatMessage, JsonSchema, ToolCall, ToolChoice, ToolDefinition } from "../types.js";
import { type GeminiSchema, writeGeminiSchema } from "./gemini-schema.js";
import {
  type Conversation,
  type Converted,
  conversationFromJson,
  conversationFromYaml,
  conversationToJson,
  conversationToYaml,
  gemini,
  type Loss,
  providers,
  type ReadConversation,
} from "./index.js";
import { Losses } from "./losses.js";
import { readGeminiSchema } from "./read-gemini-schema.js";

// The law: what is read back is the same, but where the report of losses says so.

const runs = Number(process.env.ROUND_TRIPS ?? 10_000);

/** What every provider's module does, whatever its shapes are. */
interface AnyProvider {
  toTools(tools: readonly ToolDefinition[]): Converted<unknown>;
  fromTools(tools: unknown): Converted<ToolDefinition[]>;
  toCalls(calls: readonly ToolCall[]): Converted<unknown>;
  fromCalls(calls: unknown): Converted<ToolCall[]>;
  toRequest(conversation: Conversation): Converted<unknown>;
  fromRequest(request: unknown, options?: { tools: readonly { name: string }[] }): Converted<ReadConversation>;
}
const all = Object.entries(providers) as unknown as [string, AnyProvider][];

const word = fc.constantFrom("a", "b", "city", "__proto__", "x y", "ünï", "$ref");
const text = fc.oneof(
  fc.constantFrom("", "Hi", "two\nlines", "  x", "null", "1.50", "😀", "a: b # c", "{}"),
  fc.string(),
);
const name = fc.oneof(
  fc.constantFrom(
    "get_weather",
    "now",
    "kom.memory.v1.search_memory",
    "search memory",
    "9lives",
    "städte",
    "a".repeat(70),
  ),
  fc.string({ minLength: 1, maxLength: 6 }),
);
const json = fc
  .jsonValue({ maxDepth: 2, noUnicodeString: true })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const args = fc
  .dictionary(word, json, { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

const few = { requiredKeys: [] as [] };
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const part = tie("schema");
  const properties = fc.dictionary(word, part, { maxKeys: 3 });
  const shapes = fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ type: fc.constantFrom("string", "integer", "boolean", "null"), description: text }, few),
    fc.record(
      {
        type: fc.constant("string"),
        minLength: fc.nat(9),
        pattern: fc.constant("^a"),
        format: fc.constantFrom("email", "date-time"),
        default: text,
      },
      few,
    ),
    fc.record(
      {
        type: fc.constant("number"),
        minimum: fc.integer(),
        exclusiveMaximum: fc.integer(),
        multipleOf: fc.constant(5),
      },
      few,
    ),
    fc.record(
      {
        type: fc.constantFrom("string", ["string", "null"]),
        enum: fc.constantFrom(["a", "b"], ["a", null], [1, 2], ["a"]),
      },
      few,
    ),
    fc.record({ const: fc.constantFrom("a", 1, null), title: text }, few),
    fc.record(
      {
        type: fc.constantFrom(["string", "null"], ["integer", "string"], ["null", "array", "object"]),
        minLength: fc.nat(5),
      },
      few,
    ),
    fc.record({ type: fc.constant("array"), items: part, minItems: fc.nat(4), uniqueItems: fc.boolean() }, few),
    fc.record(
      { type: fc.constant("array"), prefixItems: fc.array(part, { maxLength: 2 }), items: fc.constant(false) },
      few,
    ),
    fc.record(
      {
        anyOf: fc.array(fc.oneof(part, fc.constant({ type: "null" })), { minLength: 1, maxLength: 3 }),
        description: text,
      },
      few,
    ),
    fc.record(
      { oneOf: fc.array(part, { minLength: 1, maxLength: 2 }), examples: fc.array(json, { maxLength: 2 }) },
      few,
    ),
    fc.record({ allOf: fc.array(part, { maxLength: 2 }) }, few),
    fc.record(
      {
        type: fc.constant("object"),
        properties,
        required: fc.uniqueArray(word, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), part),
        patternProperties: properties,
      },
      few,
    ),
    fc.record(
      {
        $ref: fc.constantFrom("#", "#/$defs/a", "#/properties/a", "#/nowhere"),
        $defs: fc.dictionary(word, part, { maxKeys: 1 }),
      },
      few,
    ),
    fc.boolean(),
  );
  // As it would come over the wire: without undefined, every key an own one.
  return { schema: shapes.map((value) => JSON.parse(JSON.stringify(value)) as JsonSchema) };
});

const parameters = fc.oneof(
  { weight: 1, arbitrary: schema },
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          type: fc.constant("object"),
          properties: fc.dictionary(word, schema, { maxKeys: 3 }),
          required: fc.uniqueArray(word, { maxLength: 2 }),
        },
        { requiredKeys: ["type"] },
      )
      .map((value) => JSON.parse(JSON.stringify(value)) as JsonSchema),
  },
);
const definition: fc.Arbitrary<ToolDefinition> = fc.record(
  { name, description: text, parameters },
  { requiredKeys: ["name"] },
);
const choice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.constantFrom("auto" as const, "none" as const, "required" as const),
  fc.record({ name }),
);

const call: fc.Arbitrary<ToolCall> = fc.record(
  {
    id: fc.oneof(fc.constantFrom("call_1", "call_2", "functions.now:0", "x".repeat(80)), fc.string()),
    name,
    arguments: args,
    repairs: fc.constant([{ code: "to-number", path: "/a" }]),
  },
  { requiredKeys: ["id", "name", "arguments"] },
);

/** Calls and their results in any order, or results of no call at all: what logs hold. */
const messages: fc.Arbitrary<ChatMessage[]> = fc
  .array(
    fc.oneof(
      fc
        .record({ role: fc.constantFrom("system" as const, "user" as const), content: text })
        .map((message) => [message]),
      fc
        .record({ role: fc.constant("tool" as const), toolCallId: text, name, content: text })
        .map((message) => [message]),
      fc
        .record({
          content: text,
          reasoning: fc.option(text, { nil: undefined }),
          calls: fc.array(call, { maxLength: 3 }),
          failed: fc.boolean(),
          output: text,
        })
        .map(({ content, reasoning, calls, failed, output }): ChatMessage[] => [
          {
            role: "assistant",
            content,
            ...(calls.length > 0 && { toolCalls: calls }),
            ...(reasoning && { reasoning }),
          },
          ...calls.map(
            ({ id, name }): ChatMessage => ({
              role: "tool",
              toolCallId: id,
              name,
              content: output,
              ...(failed && { isError: true }),
            }),
          ),
        ]),
    ),
    { maxLength: 4 },
  )
  .map((turns) => turns.flat());

const called = (message: ChatMessage): { name: string }[] => {
  if (message.role === "tool") return [{ name: message.name }];
  return message.role === "assistant" ? (message.toolCalls ?? []) : [];
};

/** The same tool, told in one way: arguments are an object in any case, and the order of alternatives says nothing. */
function canonicalTool({ parameters = true, ...tool }: ToolDefinition): ToolDefinition {
  const root = parameters === true ? {} : parameters === false ? { not: {} } : parameters;
  const { type = "object", properties = {}, required = [], ...rest } = sorted(root) as { [key: string]: unknown };
  return { ...tool, parameters: { ...rest, type, properties, required } };
}

/** The tool without the names that its losses say cannot be required: those after them move up in the list. */
function withoutUnrequired(tool: ToolDefinition, losses: readonly Loss[]): ToolDefinition {
  const named = new Set(losses.filter(({ what }) => what === "required").map(({ path }) => path));
  const strip = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      const kept = value.map((item, i) => [item, `${path}/${i}`] as const).filter(([, at]) => !named.has(at));
      return kept.map(([item, at]) => strip(item, at));
    }
    if (typeof value !== "object" || value === null) return value;
    const step = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, strip(part, `${path}/${step(key)}`)]));
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
function differences(a: unknown, b: unknown, path = ""): string[] {
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
  return [...keys].flatMap((key) => {
    const step = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return differences(at(a, key), at(b, key), `${path}/${step}`);
  });
}

/** A loss explains what is different at the places that it names, and below; nothing else. */
const explains = ({ path, instead = [] }: Loss, difference: string) =>
  [path, ...instead].some((place) => difference === place || difference.startsWith(`${place}/`));
const unexplained = (found: readonly string[], losses: readonly Loss[]) =>
  found.filter((difference) => !losses.some((loss) => explains(loss, difference)));

/**
 * Messages that had to be moved or split, without what is reported by the places they had: what is said, called and
 * answered, in its order, is the same all the same.
 */
function rearranged(messages: readonly ChatMessage[], losses: readonly Loss[]): unknown {
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
function withoutEmpty(messages: readonly ChatMessage[], losses: readonly Loss[]) {
  const gone = new Set(losses.filter(({ what }) => what === "empty").map(({ path }) => path));
  const kept = messages.map((message, i) => ({ message, i })).filter(({ i }) => !gone.has(`/messages/${i}`));
  const now = new Map(kept.map(({ i }, at) => [String(i), at]));
  const place = (path: string) => path.replace(/^\/messages\/(\d+)/, (_, i: string) => `/messages/${now.get(i)}`);
  const moved = losses
    .filter(({ path }) => !gone.has(path))
    .map((loss) => ({ ...loss, path: place(loss.path), instead: (loss.instead ?? []).map(place) }));
  return { messages: kept.map(({ message }) => message), losses: moved };
}

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** One property for all providers, since making up the conversations takes the most time. */
describe("every provider", () => {
  it(`gives back ${runs} random definitions, but for the losses it reports`, () => {
    const law = fc.property(definition, (tool) => {
      const wrong = all.flatMap(([name, provider]) => {
        const written = provider.toTools([tool]);
        const read = provider.fromTools(overTheWire(written.value));
        const found = differences([withoutUnrequired(tool, written.losses)], read.value.map(canonicalTool));
        return [...unexplained(found, written.losses), ...read.losses].map((one) => [name, one]);
      });
      expect(wrong).toEqual([]);
    });
    fc.assert(law, { numRuns: runs });
  }, 120_000);

  it(`gives back ${runs} random conversations, but for the losses it reports`, () => {
    const law = fc.property(messages, choice, (said, toolChoice) => {
      const tools = [...said.flatMap(called), { name: typeof toolChoice === "string" ? "" : toolChoice.name }];
      const wrong = all.flatMap(([name, provider]) => {
        const written = provider.toRequest({ messages: said, toolChoice });
        const read = provider.fromRequest(overTheWire(written.value), { tools });
        if (written.losses.some(({ what }) => what === "system" || what === "toolCalls")) {
          const found = differences(rearranged(said, written.losses), rearranged(read.value.messages, written.losses));
          return found.map((one) => [name, one]);
        }
        const losses = [...written.losses, ...read.losses];
        const kept = withoutEmpty(said, losses);
        const found = differences({ messages: kept.messages, toolChoice }, read.value);
        return unexplained(found, kept.losses).map((one) => [name, one]);
      });
      expect(wrong).toEqual([]);
    });
    fc.assert(law, { numRuns: runs });
  }, 120_000);

  it("writes what it read in the same way again", () => {
    const law = fc.property(messages, fc.array(definition, { maxLength: 2 }), (said, tools) => {
      const requests = all.map(([, provider]) => provider.toRequest({ messages: said, tools }).value);
      const again = all.map(([, provider], i) => provider.toRequest(provider.fromRequest(requests[i]).value).value);
      expect(again).toEqual(requests);
    });
    fc.assert(law, { numRuns: 300 });
  });

  it("gives back calls by themselves", () => {
    const law = fc.property(fc.array(call), (calls) => {
      const wrong = all.flatMap(([name, provider]) => {
        const { value, losses } = provider.toCalls(calls);
        return unexplained(differences(calls, provider.fromCalls(value).value), losses).map((one) => [name, one]);
      });
      expect(wrong).toEqual([]);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

/** What the model calls in a turn, and how it is answered: which say an id, how many get none, which tool comes first. */
const turn = fc.record({
  calls: fc.array(fc.record({ name: fc.constantFrom("a", "b"), id: fc.boolean(), said: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  }),
  unanswered: fc.nat(2),
  isReversed: fc.boolean(),
});

/** The same turns in each format, a result's text being the place of the call it answers. */
type Asked = { name: string; at: string; id?: string; said?: string };
const logs: [string, AnyProvider, (turns: { calls: Asked[]; answers: Asked[] }[]) => unknown][] = [
  [
    "OpenAI's Chat Completions",
    providers.openai as unknown as AnyProvider,
    (turns) => ({
      messages: turns.flatMap(({ calls, answers }) => [
        {
          role: "assistant",
          content: null,
          tool_calls: calls.map(({ name, at, id }) => ({
            type: "function",
            function: { name, arguments: JSON.stringify({ at }) },
            id,
          })),
        },
        ...answers.map(({ name, at, said }) => ({ role: "tool", name, content: at, tool_call_id: said })),
        { role: "user", content: "go on" },
      ]),
    }),
  ],
  [
    "OpenAI's Responses",
    providers["openai-responses"] as unknown as AnyProvider,
    (turns) => ({
      input: turns.flatMap(({ calls, answers }) => [
        ...calls.map(({ name, at, id }) => ({
          type: "function_call",
          name,
          arguments: JSON.stringify({ at }),
          call_id: id,
        })),
        ...answers.map(({ at, said }) => ({ type: "function_call_output", output: at, call_id: said })),
        { role: "user", content: "go on" },
      ]),
    }),
  ],
  [
    "Anthropic's Messages",
    providers.anthropic as unknown as AnyProvider,
    (turns) => ({
      messages: turns.flatMap(({ calls, answers }) => [
        {
          role: "assistant",
          content: calls.map(({ name, at, id }) => ({ type: "tool_use", name, input: { at }, id })),
        },
        {
          role: "user",
          content: [
            ...answers.map(({ at, said }) => ({ type: "tool_result", content: at, tool_use_id: said })),
            { type: "text", text: "go on" },
          ],
        },
      ]),
    }),
  ],
];

it.each(logs)(
  "calls and results without ids find each other in order in logs of %s, and that is reported",
  (_, provider, log) => {
    const asked = fc.array(
      fc.record({
        calls: fc.array(fc.record({ name: fc.constantFrom("a", "b"), hasId: fc.boolean() }), {
          minLength: 1,
          maxLength: 4,
        }),
        unanswered: fc.nat(2),
      }),
      { maxLength: 4 },
    );
    const law = fc.property(asked, (turns) => {
      const given = turns.map(({ calls, unanswered }, t) => {
        const all = calls.map(({ name, hasId }, i): Asked => {
          const at = `${t}.${i}`;
          return { name, at, ...(hasId && { id: `id ${at}`, said: `id ${at}` }) };
        });
        return { calls: all, answers: all.slice(0, Math.max(0, all.length - unanswered)) };
      });
      const request = overTheWire(log(given));
      const { value, losses } = provider.fromRequest(request);
      const calls = value.messages.flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []));
      const byId = new Map(calls.map((one) => [one.id, one]));
      expect(byId.size).toBe(calls.length);
      for (const one of value.messages) {
        if (one.role === "tool")
          expect([byId.get(one.toolCallId)?.arguments.at, one.name]).toEqual([
            one.content,
            byId.get(one.toolCallId)?.name,
          ]);
      }
      const missing = given.flatMap(({ calls, answers }) => [
        ...calls.map(({ id }) => id),
        ...answers.map(({ said }) => said),
      ]);
      expect(losses.filter(({ what }) => what === "id")).toHaveLength(missing.filter((id) => id === undefined).length);
      expect(provider.fromRequest(request)).toEqual({ value, losses });
    });
    fc.assert(law, { numRuns: 500 });
  },
);

it("Gemini's calls and results find each other, with ids or without, in any order of the tools", () => {
  const law = fc.property(fc.array(turn, { maxLength: 4 }), (turns) => {
    const contents = turns.flatMap(({ calls, unanswered, isReversed }, t) => {
      const parts = calls.map(({ name, id }, i) => ({
        functionCall: { name, args: { at: `${t}.${i}` }, ...(id && { id: `id ${t}.${i}` }) },
      }));
      const results = calls.map(({ name, said }, i) => ({
        functionResponse: { name, response: { output: `${t}.${i}` }, ...(said && { id: `id ${t}.${i}` }) },
      }));
      const of = (name: string) => results.filter(({ functionResponse }) => functionResponse.name === name);
      const ordered = isReversed ? [...of("b"), ...of("a")] : [...of("a"), ...of("b")];
      const answers = ordered.slice(0, Math.max(0, ordered.length - unanswered));
      return [
        { role: "model", parts },
        { role: "user", parts: [...answers, { text: "go on" }] },
      ];
    });
    const { value, losses } = gemini.fromRequest({ contents });
    const calls = new Map(
      value.messages
        .flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []))
        .map((one) => [one.id, one]),
    );
    const wrong = value.messages.filter(
      (one) => one.role === "tool" && calls.get(one.toolCallId)?.arguments.at !== one.content,
    );
    expect({ wrong, losses }).toEqual({ wrong: [], losses: [] });
  });
  fc.assert(law, { numRuns: 1_000 });
});

describe.each([
  ["JSON", conversationToJson, conversationFromJson],
  ["YAML", conversationToYaml, conversationFromYaml],
] as const)("a log in %s", (_, write, read) => {
  it("gives back every conversation", () => {
    fc.assert(
      fc.property(
        messages,
        fc.option(fc.array(definition, { maxLength: 2 }), { nil: undefined }),
        choice,
        (said, tools, toolChoice) => {
          const conversation = { messages: said, ...(tools && { tools }), toolChoice };
          const written = write(conversation);
          expect(written.losses).toEqual([]);
          expect(read(written.value)).toEqual({ value: conversation, losses: [] });
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** The schema as whoever reads the text of some JSON takes it: anything may stand there. */
function asRead(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asRead);
  if (typeof schema !== "object" || schema === null) return schema;
  const { description } = schema as { description?: unknown };
  if (typeof description === "string" && description.endsWith(", as the text of its JSON)")) return true;
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, asRead(part)]));
}

/** Where a schema breaks what the API demands (https://ai.google.dev/api/caching#Schema), as JSON pointers. */
function refused(
  { type, properties, items, enum: listed, format, required, anyOf }: GeminiSchema,
  path = "",
): string[] {
  const names = Object.keys(properties ?? {});
  const formats: Record<string, string[]> = {
    STRING: ["enum", "date-time"],
    NUMBER: ["float", "double"],
    INTEGER: ["int32", "int64"],
  };
  const isRight =
    (type !== undefined || anyOf !== undefined) &&
    (type !== "OBJECT" || names.length > 0 || path === "") &&
    (type === "ARRAY") === (items !== undefined) &&
    (listed === undefined || (type === "STRING" && listed.length > 0 && !listed.includes(""))) &&
    (format === undefined || formats[type ?? ""]?.includes(format) === true) &&
    (required ?? []).every((name) => names.includes(name)) &&
    (anyOf === undefined || anyOf.length > 0);
  return [
    ...(isRight ? [] : [path]),
    ...Object.entries(properties ?? {}).flatMap(([key, part]) => refused(part, `${path}/properties/${key}`)),
    ...(items ? refused(items, `${path}/items`) : []),
    ...(anyOf ?? []).flatMap((part, i) => refused(part, `${path}/anyOf/${i}`)),
  ];
}

describe("Gemini's subset", () => {
  it("is what the API takes", () => {
    const law = fc.property(schema, (whole) => {
      expect(refused(writeGeminiSchema(whole, "", new Losses()))).toEqual([]);
    });
    fc.assert(law, { numRuns: 2_000 });
  });

  it("refuses nothing that the whole schema takes, but where it must say more", () => {
    const values = fc.oneof(
      json,
      fc.constantFrom("a", "b", null, 1, 5, {}, [], ["a"], { a: "a" }, { a: 1, city: null }),
    );
    const given = fc.array(values, { minLength: 5, maxLength: 8 }).map((all) => all.map((a) => ({ a })));
    const law = fc.property(schema, given, (part, tried) => {
      // As a property: the root is an object in any case.
      const whole = { type: "object", properties: { a: part }, required: ["a"] };
      const losses = new Losses();
      const subset = readGeminiSchema(writeGeminiSchema(whole, "", losses), "", new Losses());
      fc.pre(compileSchema(whole).problems.length === 0);
      fc.pre(!losses.list.some(({ what, why }) => what === "prefixItems" || why.startsWith("none was named")));
      const read = compileSchema(asRead(subset) as JsonSchema);
      const wrong = tried.filter((value) => compileSchema(whole).check(value) && !read.check(value));
      expect(wrong).toEqual([]);
    });
    fc.assert(law, { numRuns: 1_000 });
  });
});
