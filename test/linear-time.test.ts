import { describe, expect, test } from "vitest";
import { readTriggers } from "../packages/core/src/conversation/index.js";
import {
  createReplyParser,
  type ProtocolName,
  parseReply,
  protocols,
  type ToolDefinition,
  validateValue,
} from "../packages/core/src/index.js";
import { workOf } from "./support/work.js";

const text = { type: "string" };
const alpha = {
  name: "alpha",
  parameters: {
    type: "object",
    properties: {
      beta: text,
      lambda: { type: "array", items: text },
      omega: { type: "integer" },
      sigma: { type: "object", properties: { kappa: text } },
    },
  },
};
const call = {
  name: "alpha",
  arguments: { beta: "gamma", lambda: ["delta", "epsilon"], omega: 12345, sigma: { kappa: "theta" } },
};
const WORDS = ["alpha", "beta", "gamma", "lambda", "delta", "epsilon", "omega", "12345", "sigma", "kappa", "theta"];
const names = Object.keys(protocols) as ProtocolName[];

const written = (protocol: ProtocolName, args: object, tools: ToolDefinition[]) =>
  protocols[protocol].renderCalls([{ name: "alpha", arguments: args as Record<string, unknown> }], { tools });

/** Places in a written call, by name. */
function placesIn(reply: string): [place: string, index: number][] {
  const places: [string, number][] = [
    ["before the call", 0],
    ["in the opening marker", 1],
    ["before its end", reply.length - 3],
    ["after the call", reply.length],
  ];
  let from = 0;
  for (const word of WORDS) {
    const at = reply.indexOf(word, from);
    if (at < 0) continue;
    from = at + word.length;
    places.push(
      [`before ${word}`, at],
      [`in ${word}`, at + 2],
      [`after ${word}`, from],
      [`a character after ${word}`, from + 1],
    );
  }
  return places;
}

/** The literals of a format. */
function markersOf(protocol: ProtocolName): string[] {
  const { call, block, spans = [], stop = [] } = protocols[protocol].syntax;
  const parts: unknown[] = [...call, block?.open, block?.separator, block?.close, ...stop];
  for (const { open, close } of spans) parts.push(open, close);
  return parts.filter((part): part is string => typeof part === "string" && part.trim() !== "");
}

const UNITS = [
  ' ·\n·\n  ·"·\'·`·[·{·(·]·}·)·<·>·<b>·</b>·<b></b>·\\·\\"·,·"a",·"a": 1, ·a=1, ·:·a: b\n·- a\n·# a\n·```\n·x·ab ·1·-·&',
  "<!-- -->·&amp;·<|·**·<think>·</think>·<![CDATA[·<alpha>·</alpha>·alpha(·<tool_response>",
].flatMap((units) => units.split("·"));

/** What may be repeated in a call: a text of any kind, or a part of the call. */
function unitsOf(protocol: ProtocolName, reply: string): string[] {
  const value = reply.indexOf("gamma");
  const parts = [
    reply,
    reply.slice(0, 4),
    reply.slice(-5),
    reply.slice(0, reply.indexOf("alpha") + 5),
    reply.slice(Math.max(0, value - 9), value),
    reply.slice(value + 5, value + 14),
    reply.slice(reply.indexOf("beta"), value + 5),
  ];
  return [...new Set([...UNITS, ...markersOf(protocol), ...parts])].filter((unit) => unit !== "");
}

/** Three parts are longer than what the parser looks ahead, and so looks at again with each character: 1,024 of them. */
const PART = 420;

/** How much more work a character takes in a reply of twice the length, after `head` and one character at a time. */
function growth(protocol: ProtocolName, head: string, unit: string): number {
  const part = unit.repeat(Math.ceil(PART / unit.length));
  const parser = createReplyParser({ protocol, tools: [alpha] });
  parser.push(head);
  const add = (parts: number) => {
    for (let i = 0; i < parts; i++) for (const char of part) parser.push(char);
  };
  add(3);
  const before = workOf(() => add(1));
  add(3);
  return workOf(() => add(1)) / before;
}

/** How much more it takes in one where work grows with the square of the length: 7.5 to 3.5 parts. */
const SLOW = 1.6;

/** The pairs of a place and a unit that are tried for each protocol: others for each. `FC_SEED=random` tries more. */
const PAIRS = 5;
const seed = process.env.FC_SEED === "random" ? Date.now() % 1009 : 0;

describe("a reply takes no more time for a character the longer it is: repeated", () => {
  test.each(names.map((name, i) => [name, i] as const))("%s", (protocol, i) => {
    const reply = written(protocol, call.arguments, [alpha]);
    const places = placesIn(reply);
    const units = unitsOf(protocol, reply);
    const value = reply.indexOf("gamma");
    const pairs = Array.from({ length: PAIRS }, (_, j) => {
      const step = seed + i * PAIRS + j;
      const [place, at] = places[(5 * step + i) % places.length]!;
      return [place, at, units[step % units.length]!] as const;
    });
    if (value >= 0) for (const space of [" ", "\n"]) pairs.push(["before a value", value, space]);
    pairs.push(["before the tool's name", Math.max(0, reply.indexOf("alpha")), " "]);
    const slow = pairs.filter(([, at, unit]) => growth(protocol, reply.slice(0, at), unit) > SLOW);
    expect(slow.map(([place, , unit]) => `${JSON.stringify(unit)} ${place}`)).toEqual([]);
  });

  const qwen = "<tool_call>\n<function=alpha>\n";
  test.each<[string, ProtocolName, string, string]>([
    ["space in quotes around an object", "hermes", '<tool_call>{"name": "alpha", "arguments": "', " "],
    ["letters after its own tag again", "qwen3-coder", `${qwen}<parameter=beta>\n<parameter=beta>`, "x"],
    ["newlines after its own tag again", "qwen3-coder", `${qwen}<parameter=beta>\n<parameter=beta>`, "\n"],
  ])("%s", (_, protocol, head, unit) => expect(growth(protocol, head, unit)).toBeLessThan(SLOW));
});

describe("four times as much of it takes about four times the work", () => {
  const many = <T>(count: number, of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i));
  const readYamlOf = (value: string) =>
    parseReply(
      protocols.yaml
        .renderCalls([{ name: "alpha", arguments: { beta: "@" } }], { tools: [alpha] })
        .replace(/["']?@["']?/, () => value),
      {
        protocol: "yaml",
        tools: [alpha],
      },
    );
  const keyed = (count: number, of: (i: number) => [string, unknown]) => Object.fromEntries(many(count, of));

  test.each<[string, (n: number) => void]>([
    ["triggers on a line", (n) => readTriggers("[#alpha: beta=a] ".repeat(n), { tools: [alpha] })],
    [
      "triggers of tools",
      (n) => readTriggers(many(n, (i) => `[#t${i}] `).join(""), { tools: many(n, (i) => ({ name: `t${i}` })) }),
    ],
    [
      "alternatives for a long value",
      (n) =>
        validateValue(
          many(9 * n, () => 1),
          { anyOf: many(n, (i) => ({ type: "object", required: [`k${i}`] })) },
        ),
    ],
    [
      "alternatives for an object with many keys",
      (n) =>
        validateValue(
          keyed(9 * n, (i) => [`k${i}`, 1]),
          { anyOf: many(n, (i) => ({ type: "string", minLength: i })) },
        ),
    ],
    [
      "items of a list with another argument between them",
      (n) => {
        const items = "<parameter=lambda>x</parameter><parameter=omega>1</parameter>".repeat(n);
        const parser = createReplyParser({ protocol: "qwen3-coder", tools: [alpha] });
        for (const char of `<tool_call><function=alpha>${items}`) parser.push(char);
      },
    ],
    [
      "arguments that the tool lacks",
      (n) => {
        const reply = JSON.stringify({ name: "f", arguments: { k1: 1, ...keyed(n, (i) => [`other${i}`, 1]) } });
        const tools = [{ name: "f", parameters: { type: "object", properties: keyed(n, (i) => [`k${i}`, {}]) } }];
        parseReply(`<tool_call>${reply}</tool_call>`, { protocol: "hermes", tools });
      },
    ],
    // Each of these would have many ways to be divided into quotes.
    ["empty quotes in quotes, in YAML", (n) => readYamlOf(`'${" ''".repeat(n)} b: c`)],
    ["quotes in quotes, in YAML", (n) => readYamlOf(`"${' "a"'.repeat(n)} b: c`)],
    ["white space after quotes, in YAML", (n) => readYamlOf(`"a"${" ".repeat(8 * n)}x: y`)],
  ])("%s", (_, run) => {
    // What is kept of the tools is made before.
    for (const n of [100, 400]) run(n);
    const once = workOf(() => run(100));
    expect(workOf(() => run(400)) / once).toBeLessThan(6);
  });
});
