import fc from "fast-check";
import {
  getProtocol,
  type JsonSchema,
  type ProtocolName,
  parseReply,
  RenderError,
  type ToolCall,
  type ToolDefinition,
} from "../../src/index.js";
import type { Scenario } from "../arbitraries.js";
import { type Slip, type SlipKind, slipKinds, slipsOf } from "./slips.js";

/** Values without markers, so that every marker belongs to the format. */
export const word = fc.constantFrom(
  "Roma",
  "window seat",
  "blue",
  "x1",
  "a plain sentence of words",
  "two\nlines",
  "true",
  "12",
);
/** Values that have to be escaped in some formats. */
export const path = fc.constantFrom("C:\\tmp\\new", "D:\\", 'say "hi" now', "it's", "\\d+\\.x");
/** Values that contain the end of a tag. */
export const arrow = fc.constantFrom("ls -la > out.txt", "a -> b", "5 > 4. Bye", "x=1 make > log");
/** Values that have entities in some formats. */
export const markup = fc.constantFrom("a < b & c", "x <br/> y &amp; z", "Tom & Jerry < 3");
const integer = fc.integer({ min: 0, max: 99 });

const shapes = (text: fc.Arbitrary<string>): { schema: JsonSchema; value: fc.Arbitrary<unknown> }[] => [
  { schema: { type: "string" }, value: text },
  { schema: { type: "string" }, value: text },
  { schema: { type: "integer" }, value: integer },
  { schema: { type: "boolean" }, value: fc.boolean() },
  { schema: { type: "array", items: { type: "string" } }, value: fc.array(text, { minLength: 1, maxLength: 2 }) },
  { schema: { type: "array", items: { type: "integer" } }, value: fc.array(integer, { minLength: 1, maxLength: 2 }) },
  {
    schema: { type: "object", properties: { city: { type: "string" }, zip: { type: "integer" } }, required: ["city"] },
    value: fc.record({ city: text, zip: integer }, { requiredKeys: ["city"] }),
  },
];

/** A tool whose arguments have names of their own. */
const sendNote = {
  name: "send_note",
  parameters: {
    type: "object",
    properties: { words: { type: "string" }, copies: { type: "integer" } },
    required: ["words"],
  },
} satisfies ToolDefinition;

const toolNames = ["book_table", "set_lamp"];
const keys = ["venue", "guests", "note"];

/** Two tools, and one or two calls of them with all their arguments. */
export const scenarios = (text: fc.Arbitrary<string>): fc.Arbitrary<Scenario> => {
  const all = shapes(text);
  const tool = fc.tuple(fc.array(fc.nat(all.length - 1), { minLength: 1, maxLength: 3 }), fc.nat(3));
  return fc.tuple(tool, tool).chain((two) => {
    const made = two.map(([chosen, needed], i) => {
      const own = keys.slice(0, chosen.length);
      const parameters: JsonSchema = {
        type: "object",
        properties: Object.fromEntries(own.map((key, k) => [key, all[chosen[k]!]!.schema])),
        required: own.slice(0, needed),
      };
      const args = fc.record(Object.fromEntries(own.map((key, k) => [key, all[chosen[k]!]!.value])));
      const name = toolNames[i]!;
      return {
        tool: { name, description: "A tool.", parameters },
        call: args.map((given) => ({ name, arguments: { ...given } as Record<string, unknown> })),
      };
    });
    const call = fc.oneof(...made.map(({ call }) => call));
    return fc.record({
      tools: fc.constant(made.map(({ tool }) => tool)),
      calls: fc.array(call, { minLength: 1, maxLength: 2 }),
    });
  });
};

const render = (protocol: ProtocolName, { tools, calls }: Scenario) => {
  try {
    return getProtocol(protocol).renderCalls(calls, { tools });
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
};

/**
 * What came of a slip: all calls that were meant; fewer, with feedback or as text; some, and none of the others heard
 * of; others.
 */
export type Verdict = "right" | "refused" | "lost" | "wrong";

export const print = (call: { name: string; arguments: unknown }) =>
  JSON.stringify([call.name, sorted(call.arguments)]);
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, part]) => [key, sorted(part)]),
        )
      : value;

export interface Judged extends Slip {
  verdict: Verdict;
  got: string[];
}

/** What comes of every slip of some kinds in a reply. */
export function judge(protocol: ProtocolName, given: Scenario, kinds: readonly SlipKind[] = slipKinds): Judged[] {
  const { tools, calls } = given;
  const isYaml = getProtocol(protocol).syntax.call.some(
    (part) => typeof part === "object" && "body" in part && part.body === "yaml",
  );
  const text = render(protocol, given);
  if (text === undefined) return [];
  const inserted = { name: "set_lamp", arguments: example(tools[1]!.parameters ?? {}) as Record<string, unknown> };
  const other = render(protocol, { tools, calls: [inserted] }) ?? "";
  // Its arguments have other names, so that none of them is an argument of the call before it.
  const stranger = { name: "send_note", arguments: { words: "Quito", copies: 77 } };
  const next = render(protocol, { tools: [...tools, sendNote], calls: [stranger] }) ?? "";
  const [first] = calls;
  const leaf = Object.values(first!.arguments).find(
    (value) => typeof value === "string" && /^[\w ]+$/.test(value) && text.split(value).length === 2,
  ) as string | undefined;
  const value = leaf === undefined ? undefined : ([leaf, "Zanzibar"] as const);
  const names = [...toolNames, ...keys, "city", "zip"];
  const ends = endsOf(text, calls);
  const slips = slipsOf({ text, ends, names, other, next, value });
  for (const [key, part] of Object.entries(first!.arguments)) {
    const twice = (before: object, after: object) =>
      render(protocol, { tools, calls: [{ ...first!, arguments: { ...before, ...first!.arguments, ...after } }] });
    const another = { [`${key}_`]: typeof part === "string" ? "Zanzibar" : part };
    for (const both of [twice(another, {}), twice({}, another)]) {
      if (both !== undefined) slips.push({ kind: "rename a doubled key", text: both, at: 0, added: [] });
    }
  }
  const chosen = slips.filter(({ kind }) => kinds.includes(kind));
  return chosen.map((slip) => {
    const wanted = calls.filter((_, i) => {
      if (slip.kind === "lose the closers") return ends[i]![0] <= slip.at; // The rest of the reply is another call.
      return slip.kind !== "rename a doubled key" || i === 0;
    });
    const allowed = [...wanted];
    if (slip.kind === "insert a call") allowed.push(inserted);
    if (slip.kind === "lose the closers") allowed.push(stranger);
    if (slip.kind === "repeat with another value" && value) {
      allowed.push(...calls.map((call) => JSON.parse(JSON.stringify(call).replace(value[0], value[1]))));
    }
    const finish = slip.kind === "cut off" ? "length" : undefined;
    const { toolCalls, invalidToolCalls } = parseReply(slip.text, {
      tools: slip.kind === "lose the closers" ? [...tools, sendNote] : tools,
      protocol,
      finish,
    });
    const found = toolCalls.map((call) => {
      const i = allowed.findIndex((one) => isCall(call, one, slip, isYaml));
      return i < 0 ? undefined : allowed.splice(i, 1)[0];
    });
    const missing = wanted.filter((call) => !found.includes(call)).length;
    const isLost = toolCalls.length > 0 && invalidToolCalls.length < missing && slip.kind !== "cut off";
    const verdict: Verdict = found.includes(undefined)
      ? "wrong"
      : missing === 0
        ? "right"
        : isLost
          ? "lost"
          : "refused";
    return { ...slip, verdict, got: toolCalls.map(print) };
  });
}

/** From after the last value of each call to the next call, or to the end. */
function endsOf(text: string, calls: Scenario["calls"]): [number, number][] {
  let from = 0;
  const ends: [number, number][] = [];
  for (const { name, arguments: args } of calls) {
    const start = text.indexOf(name, from);
    if (ends.length > 0) ends.at(-1)![1] = start;
    from = Math.max(start, 0) + name.length;
    for (const key of Object.keys(args)) from = Math.max(from, text.indexOf(key, from) + key.length);
    const leaves = [...JSON.stringify(Object.values(args).at(-1)).matchAll(/[\w ]+/g)];
    for (const [leaf] of leaves) from = Math.max(from, text.indexOf(leaf, from) + leaf.length);
    ends.push([from, text.length]);
  }
  return ends;
}

/** Whether a call is the one that was written; in raw text what was put in may be part of a value. */
function isCall(
  call: Pick<ToolCall, "name" | "arguments">,
  wanted: Scenario["calls"][number],
  slip: Slip,
  isYaml: boolean,
): boolean {
  const same = (got: unknown, want: unknown): boolean => {
    if (typeof want === "string" && typeof got === "string") return got === want || isText(got, want, slip, isYaml);
    if (typeof want !== "object" || want === null || typeof got !== "object" || got === null)
      return Object.is(got, want);
    const [some, others] = [Object.keys(got), Object.keys(want)].map((list) =>
      list.filter((key) => !(slip.kind === "rename a doubled key" && key.endsWith("_"))),
    );
    const part = (of: object, key: string) => (of as Record<string, unknown>)[key];
    return some!.length === others!.length && others!.every((key) => same(part(got, key), part(want, key)));
  };
  return call.name === wanted.name && same(call.arguments, wanted.arguments);
}

/** In raw text what was put in is a part of the value, and so are backslashes; in YAML, quotes are one. */
function isText(got: string, want: string, { added, kind }: Slip, isYaml: boolean): boolean {
  // Of two newlines only one is the format's.
  if (kind === "drop a marker" && got.trimEnd() === want) return true;
  if (kind === "escape once more" && unescaped(got).trim() === want) return true;
  const strip = (text: string, pieces: readonly string[]) => {
    const left = pieces.reduce((rest, piece) => rest.replace(piece.trim(), ""), text);
    return (isYaml ? left.replace(/["'`“]/g, "") : left).replace(/\s+/g, " ").trim();
  };
  return (added.length > 0 || isYaml) && strip(got, added) === strip(want, []);
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

/** A value that fits a schema, and is in no reply. */
const example = (schema: JsonSchema): unknown => {
  if (typeof schema === "boolean") return null;
  switch (schema.type) {
    case "string":
      return "Quito";
    case "integer":
      return 77;
    case "boolean":
      return true;
    case "array":
      return [example(schema.items as JsonSchema)];
    default:
      return Object.fromEntries(
        Object.entries(schema.properties as Record<string, JsonSchema>).map(([key, part]) => [key, example(part)]),
      );
  }
};
