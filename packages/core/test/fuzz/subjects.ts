import { isDeepStrictEqual } from "node:util";
import { GrammarError, toolCallGrammar } from "../../src/grammar/index.js";
import { getProtocol, type ProtocolName, parseReply, RenderError, type ToolDefinition } from "../../src/index.js";
import type { Scenario } from "../arbitraries.js";
import { isBeyondGrammars } from "../support/beyond-grammars.js";
import { GbnfSampler } from "../support/gbnf-sampler.js";
import { type Law, laws } from "./laws.js";
import type { Random } from "./random.js";
import type { Reply, ReplyMaker } from "./reply.js";

/** The subject of a law: how to generate, shrink and print one. */
export interface Subject<T> {
  /** The fraction of runs: one in this number. */
  every: number;
  /** Laws that cost much, and in one of how many runs they are tried. Default: in every run. */
  seldom?: Record<string, number>;
  make(random: Random, maker: ReplyMaker): T | undefined;
  laws: Record<string, (subject: T) => string | undefined>;
  /** Simpler ones, to be tried in turn when this one breaks a law. */
  smaller(subject: T): Iterable<T>;
  /** A line of code that reproduces the failure. */
  code(subject: T): string;
  /** The mutations, for the table. */
  applied(subject: T): readonly string[];
}

/** Calls to be rendered and read back. */
interface Rendering {
  protocol: ProtocolName;
  scenario: Scenario;
}

/** A text that a grammar admits. */
interface Sample {
  protocol: ProtocolName;
  choice: "required" | "auto";
  tools: readonly ToolDefinition[];
  text: string;
}

/** JSON with white space and invisible characters escaped. */
const json = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const guarded = (all: Record<string, Law>): Record<string, Law> =>
  Object.fromEntries(
    Object.entries(all).map(([name, law]) => [name, (reply) => (thrown(reply) === undefined ? law(reply) : undefined)]),
  );

/** The error that reading a reply ends in. */
function thrown(reply: Reply): string | undefined {
  try {
    reply.whole;
    reply.chunks;
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

const replies: Subject<Reply> = {
  every: 1,
  seldom: {
    "streamed by characters it reads as in one": 8,
    "read without deltas it is the same": 4,
    "no surrogate pair is split": 8,
    "every character is in one event": 8,
  },
  make: (random, maker) => maker.make(random),
  laws: { "reading never throws": thrown, ...guarded(laws) },
  *smaller(reply) {
    const { options, text } = reply;
    for (const shorter of shorterTexts(text)) yield reply.with(shorter);
    if (options.prefill) {
      yield reply.with(text, { ...options, prefill: undefined });
      for (const prefill of shorterTexts(options.prefill)) yield reply.with(text, { ...options, prefill });
    }
    if (options.accept === "any") yield reply.with(text, { ...options, accept: "own" });
    for (const tools of fewerTools(options.tools ?? [])) yield reply.with(text, { ...options, tools });
  },
  code: ({ text, options, finish }) => `parseReply(${json(text)}, ${json({ ...options, finish })})`,
  applied: ({ applied }) => applied,
};

const renderings: Subject<Rendering> = {
  every: 4,
  make(random, maker) {
    const protocol = maker.protocol(random);
    const scenario = maker.scenario(random);
    return { protocol, scenario: { tools: scenario.tools, calls: maker.calls(random, scenario, protocol, 0.9) } };
  },
  laws: {
    "what is rendered is read back": ({ protocol, scenario: { tools, calls } }) => {
      const { syntax, renderCalls } = getProtocol(protocol);
      let text: string;
      try {
        text = renderCalls(calls, { tools });
      } catch (error) {
        if (error instanceof RenderError) return undefined;
        throw error;
      }
      const { toolCalls, ...rest } = parseReply(text, { tools, protocol });
      const read = toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }));
      if (isDeepStrictEqual(read, calls) && rest.text === "") return undefined;
      return `${json(text)} is read as ${json({ ...rest, toolCalls })}${syntax.parallel ? "" : " (one call a reply)"}`;
    },
  },
  *smaller({ protocol, scenario: { tools, calls } }) {
    const using = (fewer: Scenario["calls"]): Rendering => ({ protocol, scenario: { tools, calls: fewer } });
    for (let i = 0; i < calls.length && calls.length > 1; i++) yield using(calls.toSpliced(i, 1));
    for (const [i, call] of calls.entries()) {
      for (const args of smallerValues(call.arguments)) {
        yield using(calls.with(i, { ...call, arguments: args as Scenario["calls"][number]["arguments"] }));
      }
    }
    for (const fewer of fewerTools(tools)) {
      const names = new Set(fewer.map(({ name }) => name));
      if (calls.every(({ name }) => names.has(name))) yield { protocol, scenario: { tools: fewer, calls } };
    }
  },
  code: ({ protocol, scenario: { tools, calls } }) =>
    `getProtocol(${json(protocol)}).renderCalls(${json(calls)}, ${json({ tools })})`,
  applied: () => ["rendered"],
};

/** Cached samplers of the grammars of some tools, because creating one takes longer than using it. */
const samplers = new WeakMap<readonly ToolDefinition[], Map<string, GbnfSampler | undefined>>();

function samplerOf(tools: readonly ToolDefinition[], protocol: ProtocolName, choice: Sample["choice"]) {
  let known = samplers.get(tools);
  if (!known) {
    known = new Map();
    samplers.set(tools, known);
  }
  const key = `${protocol} ${choice}`;
  if (!known.has(key)) {
    let sampler: GbnfSampler | undefined;
    try {
      sampler = new GbnfSampler(
        toolCallGrammar({ tools, protocol: getProtocol(protocol), toolChoice: choice }).grammar,
      );
    } catch (error) {
      if (!(error instanceof GrammarError && error.code === "unsupported")) throw error;
    }
    known.set(key, sampler);
  }
  return known.get(key);
}

const samples: Subject<Sample> = {
  every: 40,
  make(random, maker) {
    const protocol = maker.protocol(random);
    const { tools } = maker.scenario(random);
    const choice = random.pick(["required", "auto"] as const);
    const text = samplerOf(tools, protocol, choice)?.sample(() => random.next());
    return text === undefined ? undefined : { protocol, choice, tools, text };
  },
  laws: {
    "what the grammar admits is read as valid calls": ({ protocol, choice, tools, text }) => {
      // A grammar keeps the markers of its own format out of answers, not those of all others.
      const accept = choice === "auto" ? "own" : "any";
      const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol, accept });
      if (invalidToolCalls.some(isBeyondGrammars)) return undefined;
      if (invalidToolCalls.length > 0) return json(invalidToolCalls);
      return choice === "required" && toolCalls.length === 0 ? "no call" : undefined;
    },
  },
  *smaller() {},
  code: ({ protocol, choice, tools, text }) =>
    `parseReply(${json(text)}, ${json({ tools, protocol, accept: choice === "auto" ? "own" : "any" })})`,
  applied: () => ["sampled from a grammar"],
};

export const subjects = [replies, renderings, samples] as Subject<unknown>[];

/** A text without one of its halves, quarters and so on down to single characters. */
function* shorterTexts(text: string): Generator<string> {
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let i = 0; i < text.length; i += size) yield text.slice(0, i) + text.slice(i + size);
  }
}

function* fewerTools(tools: readonly ToolDefinition[]): Generator<ToolDefinition[]> {
  for (let i = 0; i < tools.length && tools.length > 1; i++) yield tools.toSpliced(i, 1);
  for (const [i, tool] of tools.entries()) {
    const { parameters } = tool;
    const properties = typeof parameters === "object" ? parameters.properties : undefined;
    for (const key of Object.keys(properties ?? {})) {
      const { [key]: _, ...rest } = properties as Record<string, unknown>;
      yield tools.with(i, { ...tool, parameters: { ...(parameters as object), properties: rest } });
    }
    if (properties && Object.keys(properties).length === 0) yield tools.with(i, { name: tool.name });
    if (tool.description) yield tools.with(i, { name: tool.name, ...(parameters === undefined ? {} : { parameters }) });
  }
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === "string") yield* shorterTexts(value);
  else if (Array.isArray(value)) {
    for (const i of value.keys()) yield value.toSpliced(i, 1);
    for (const [i, item] of value.entries()) for (const smaller of smallerValues(item)) yield value.with(i, smaller);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    for (const i of entries.keys()) yield Object.fromEntries(entries.toSpliced(i, 1));
    for (const [i, [key, part]] of entries.entries()) {
      for (const smaller of smallerValues(part)) yield Object.fromEntries(entries.with(i, [key, smaller]));
    }
  }
}
