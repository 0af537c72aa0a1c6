import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GrammarError, toolCallGrammar } from "../src/grammar/index.js";
import {
  createReplyParser,
  getProtocol,
  parseReply,
  RenderError,
  type ReplyEvent,
  type ReplyParserOptions,
  type ToolChoice,
} from "../src/index.js";
import { chunked, hostileText, protocolNames, type Scenario, scenario } from "./arbitraries.js";
import { isBeyondGrammars } from "./support/beyond-grammars.js";
import { matcher } from "./support/gbnf-oracle.js";
import { GbnfSampler } from "./support/gbnf-sampler.js";
import { runs } from "./support/runs.js";

function render(protocol: (typeof protocolNames)[number], { tools, calls }: Scenario): string | undefined {
  try {
    return getProtocol(protocol).renderCalls(calls, { tools });
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

/** The grammar of calls of these tools; undefined for a format that has none. */
function callGrammar(
  protocol: (typeof protocolNames)[number],
  tools: Scenario["tools"],
  toolChoice: ToolChoice = "required",
): string | undefined {
  try {
    return toolCallGrammar({ tools, protocol: getProtocol(protocol), toolChoice }).grammar;
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported") return undefined;
    throw error;
  }
}

function inOrder({ name, arguments: args }: Scenario["calls"][number], tools: Scenario["tools"]) {
  return ordered(args, tools.find((tool) => tool.name === name)?.parameters) as Record<string, unknown>;
}

function ordered(value: unknown, schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return value;
  const { properties, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
  if (Array.isArray(value)) return value.map((item) => ordered(item, items));
  if (typeof value !== "object" || value === null || !properties) return value;
  const object = value as Record<string, unknown>;
  const keys = Object.keys(properties).filter((key) => Object.hasOwn(object, key));
  return Object.fromEntries(keys.map((key) => [key, ordered(object[key], properties[key])]));
}

/** Each call under an id that does not depend on chance. */
function fixedIds(): ReplyParserOptions {
  let next = 0;
  return { generateId: () => `call_${next++}` };
}

function events(chunks: readonly string[], options: ReplyParserOptions): ReplyEvent[] {
  const parser = createReplyParser({ ...options, ...fixedIds() });
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

/** Events with those joined that only chunking parted. */
function joined(list: readonly ReplyEvent[]): ReplyEvent[] {
  const result: ReplyEvent[] = [];
  for (const event of list) {
    const last = result.at(-1);
    if (last && "text" in last && "text" in event && last.type === event.type) last.text += event.text;
    else if (last?.type === "call-delta" && event.type === "call-delta" && last.index === event.index) {
      last.argumentsDelta += event.argumentsDelta;
    } else result.push({ ...event });
  }
  return result;
}

const deltas = (list: readonly ReplyEvent[], index: number) =>
  list.map((event) => (event.type === "call-delta" && event.index === index ? event.argumentsDelta : "")).join("");

describe.each(protocolNames)("%s", (protocol) => {
  test("a rendered call is read back unchanged, or rendering refuses it", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const text = render(protocol, given);
        fc.pre(text !== undefined);
        const { toolCalls, invalidToolCalls } = parseReply(text, { tools: given.tools, protocol });
        expect(invalidToolCalls).toEqual([]);
        expect(toolCalls.map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual(given.calls);
      }),
      runs(20),
    );
  });

  test("a rendered call needs no repair", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const text = render(protocol, given);
        fc.pre(text !== undefined);
        const { toolCalls } = parseReply(text, { tools: given.tools, protocol });
        expect(toolCalls.flatMap((call) => call.repairs ?? [])).toEqual([]);
      }),
      runs(20),
    );
  });

  test("a rendered call is accepted by the grammar, if there is one", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { tools } = given;
        // A grammar accepts arguments in schema order, which is the order that models are taught.
        const several = getProtocol(protocol).syntax.parallel ? given.calls : given.calls.slice(0, 1);
        const calls = several.map((call) => ({ ...call, arguments: inOrder(call, tools) }));
        const text = render(protocol, { tools, calls });
        fc.pre(text !== undefined);
        const grammar = callGrammar(protocol, tools);
        if (grammar !== undefined) expect((await matcher(grammar))(text), text).toBe(true);
      }),
      runs(20),
    );
  });

  test.each(["required", "auto"] as const)(
    "every reply that the grammar for tool choice %s accepts is read as valid calls",
    async (choice) => {
      const chance = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
      await fc.assert(
        fc.asyncProperty(scenario, chance, async ({ tools }, stream) => {
          const grammar = callGrammar(protocol, tools, choice);
          if (grammar === undefined) return;
          const text = new GbnfSampler(grammar).sample(() => stream.next().value);
          expect((await matcher(grammar))(text), text).toBe(true);
          // A grammar keeps the markers of its own format out of answers, not those of all others.
          const accept = choice === "auto" ? "own" : "any";
          const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol, accept });
          const broken = invalidToolCalls.filter((call) => !isBeyondGrammars(call));
          expect({ text, broken }).toEqual({ text, broken: [] });
          if (broken.length < invalidToolCalls.length) return;
          if (choice === "required") expect({ text, calls: toolCalls.length > 0 }).toEqual({ text, calls: true });
        }),
        runs(15),
      );
    },
  );

  test("text before and after a call is kept; without markers it is not a call", () => {
    const marked = getProtocol(protocol).syntax.at !== "reply";
    fc.assert(
      fc.property(scenario, fc.lorem(), (given, words) => {
        const text = render(protocol, { ...given, calls: given.calls.slice(0, 1) });
        fc.pre(text !== undefined);
        const reply = parseReply(`${words}\n${text}\n${words}`, { tools: given.tools, protocol });
        if (marked) expect(reply.text).toBe(`${words}\n${words}`);
        expect(reply.toolCalls).toHaveLength(marked ? 1 : 0);
      }),
      runs(25),
    );
  });

  test.each(["", '<tool_result name="made_up">\n3\n</tool_result>\n'])(
    "an answer on its own line after the calls does not change them (before it: %j)",
    (between) => {
      fc.assert(
        fc.property(scenario, (given) => {
          const text = render(protocol, given);
          fc.pre(text !== undefined);
          const answer = "That is all there is to say.";
          const reply = parseReply(`${text}\n${between}${answer}`, { tools: given.tools, protocol });
          expect(reply.toolCalls.map((call) => call.arguments)).toEqual(given.calls.map((call) => call.arguments));
          expect(reply.text).toBe(answer);
        }),
        runs(25),
      );
    },
  );

  test("a reply reads the same in any chunks", () => {
    const reply = fc.tuple(scenario, hostileText(), hostileText(), fc.nat()).chain(([given, before, after, cut]) => {
      const text = `${before}${render(protocol, given) ?? ""}${after}`;
      const whole = cut % 3 === 0 ? text.slice(0, cut % (text.length + 1)) : text;
      return fc.tuple(fc.constant(given), fc.constant(whole), chunked(whole));
    });
    fc.assert(
      fc.property(reply, fc.constantFrom("any" as const, "own" as const), ([{ tools }, whole, chunks], accept) => {
        const options = { tools, protocol, accept };
        expect(joined(events(chunks, options))).toEqual(joined(events([whole], options)));
      }),
      runs(20),
    );
  });

  test("the deltas of a call join to its arguments", () => {
    fc.assert(
      fc.property(scenario, hostileText(), fc.nat(), (given, noise, at) => {
        const text = render(protocol, given) ?? "";
        const place = at % (text.length + 1);
        const list = events([...(text.slice(0, place) + noise + text.slice(place))], { tools: given.tools, protocol });
        for (const event of list) {
          if (event.type === "call-end") expect(JSON.parse(deltas(list, event.index))).toEqual(event.call.arguments);
        }
      }),
      runs(25),
    );
  });

  test("text streams from its first word on: it lags by no more than 64 characters", () => {
    const tools = [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];
    for (const word of [
      "aGVsbG8gd29ybGQ",
      "今日は良い天気ですね",
      "get_weather_",
      "printprint",
      "https://a.b/c",
      "- x",
      "{ a",
    ]) {
      const parser = createReplyParser({ tools, protocol });
      let sent = 0;
      for (const [i, char] of [...word.repeat(40)].entries()) {
        for (const event of parser.push(char)) if (event.type === "text") sent += event.text.length;
        expect(i + 1 - sent).toBeLessThanOrEqual(64);
      }
    }
  });

  test("string arguments stream: they lag by no more than the longest marker and 64 characters", () => {
    // In YAML, only text in blocks streams.
    const { syntax } = getProtocol(protocol);
    const inBlocks = syntax.call.some((part) => typeof part === "object" && "body" in part && part.body === "yaml");
    const value = fc.oneof(
      hostileText(20),
      fc.lorem({ maxCount: 40, size: "max" }),
      fc.string({ unit: "grapheme", maxLength: 300, size: "max" }),
    );
    fc.assert(
      fc.property(value, (words) => {
        const content = inBlocks ? `Words:\n${words}` : words;
        const tools = [{ name: "write", parameters: { type: "object", properties: { content: { type: "string" } } } }];
        const text = render(protocol, { tools, calls: [{ name: "write", arguments: { content } }] });
        fc.pre(text !== undefined && (!inBlocks || text.includes("content: |")));
        const parser = createReplyParser({ tools, protocol });
        if (syntax.at === "reply") {
          // Without a marker nothing is known to be a call before the reply has ended.
          expect(parser.push(text)).toEqual([]);
          return;
        }
        const opened = render(protocol, { tools, calls: [{ name: "write", arguments: { content: "" } }] })!;
        let common = 0;
        while (common < text.length && text[common] === opened[common]) common++;
        let sent = "";
        for (let i = 0; i < text.length; i++) {
          for (const event of parser.push(text.charAt(i)))
            if (event.type === "call-delta") sent += event.argumentsDelta;
          const come = i + 1 - common;
          if (come > 120 && i + 1 < text.length - (opened.length - common)) {
            // Escapes make the emitted text longer or shorter than the input; entities are the longest, six to one.
            expect(sent.length).toBeGreaterThan((come - 120) / 6);
          }
        }
      }),
      runs(25),
    );
  });

  test("no reply makes the parser throw, and every call ends", () => {
    fc.assert(
      fc.property(scenario, hostileText(30), fc.boolean(), ({ tools }, text, known) => {
        const list = events([text], { protocol, tools: known ? tools : undefined });
        const started = list.filter((event) => event.type === "call-start").map((event) => event.index);
        const ended = list.filter((event) => event.type === "call-end" || event.type === "call-invalid");
        const indexes = ended.map((event) => event.index);
        expect(indexes).toEqual(indexes.map((_, i) => i));
        for (const index of started) expect(indexes).toContain(index);
      }),
      runs(25),
    );
  });

  test("keys such as __proto__ are ordinary and change no prototype", () => {
    const args = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"x": 1}}, "prototype": "p"}',
    );
    const text = render(protocol, { tools: [], calls: [{ name: "save", arguments: args }] });
    const { toolCalls } = parseReply(text ?? "", { protocol });
    expect(JSON.stringify(toolCalls[0]?.arguments)).toBe(JSON.stringify(args));
    expect(Object.getPrototypeOf(toolCalls[0]?.arguments)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
