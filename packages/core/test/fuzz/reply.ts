import {
  createReplyParser,
  type FinishReason,
  getProtocol,
  type ProtocolName,
  parseReply,
  RenderError,
  type ReplyEvent,
  type ReplyParserOptions,
} from "../../src/index.js";
import { protocolNames, type Scenario } from "../arbitraries.js";
import { mutate, nastyString } from "./mutations.js";
import { Random } from "./random.js";
import { withStrings } from "./scenarios.js";

type Options = Pick<ReplyParserOptions, "tools" | "protocol" | "accept" | "prefill">;

/** One reply and its reading options. Its readings are cached, because several laws use them. */
export class Reply {
  private known = new Map<string, ReplyEvent[]>();

  constructor(
    readonly text: string,
    readonly options: Options,
    readonly finish: FinishReason | undefined,
    /** Decides where the reply is cut into chunks. */
    readonly seed: number,
    /** The mutations that it went through. */
    readonly applied: readonly string[] = [],
  ) {}

  /** The same reply with another text or other options. */
  with(text: string, options: Options = this.options): Reply {
    return new Reply(text, options, this.finish, this.seed, this.applied);
  }

  get whole(): ReplyEvent[] {
    return this.read("whole", () => [this.text]);
  }

  get characters(): ReplyEvent[] {
    return this.read("characters", () => this.text.split(""));
  }

  /** In chunks of some random lengths, also in the middle of a surrogate pair, also empty ones. */
  get chunks(): ReplyEvent[] {
    return this.read("chunks", () => {
      const random = new Random(this.seed);
      const most = random.pick([3, 12, 40, 200]);
      const chunks: string[] = [];
      for (let i = 0; i < this.text.length; ) {
        const size = random.int(most + 1);
        chunks.push(this.text.slice(i, i + size));
        i += size;
      }
      return chunks;
    });
  }

  /** What `parseReply` makes of it. */
  parsed() {
    return parseReply(this.text, { ...this.options, ...fixedIds(), finish: this.finish });
  }

  private read(how: string, chunks: () => readonly string[]): ReplyEvent[] {
    let events = this.known.get(how);
    if (!events) {
      const parser = createReplyParser({ ...this.options, ...fixedIds() });
      events = [...chunks().flatMap((chunk) => parser.push(chunk)), ...parser.end({ finish: this.finish })];
      this.known.set(how, events);
    }
    return events;
  }
}

/** Ids that do not depend on chance. */
function fixedIds(): Pick<ReplyParserOptions, "generateId"> {
  let next = 0;
  return { generateId: () => `call_${next++}` };
}

/** Makes replies: rendered calls with mutations, two replies in one, pieces of markers. */
export class ReplyMaker {
  constructor(
    private readonly scenarios: readonly Scenario[],
    private readonly only?: ProtocolName,
  ) {}

  protocol(random: Random): ProtocolName {
    return this.only ?? random.pick(protocolNames);
  }

  scenario(random: Random): Scenario {
    return random.pick(this.scenarios);
  }

  /** Calls that match their tools, some of them with strings that are difficult to represent. */
  calls(random: Random, scenario: Scenario, protocol: ProtocolName, nasty: number): Scenario["calls"] {
    if (!random.chance(nasty)) return scenario.calls;
    return withStrings(scenario, (text) =>
      random.chance(0.5) ? nastyString({ random, protocol: getProtocol(protocol) }) : text,
    );
  }

  private rendered(random: Random, { tools, calls }: Scenario, protocol: ProtocolName): string {
    // Mostly one call: short replies are more replies.
    const scenario = { tools, calls: random.chance(0.3) ? calls : [random.pick(calls)] };
    try {
      return getProtocol(protocol).renderCalls(this.calls(random, scenario, protocol, 0.3), { tools: scenario.tools });
    } catch (error) {
      if (error instanceof RenderError) return "";
      throw error;
    }
  }

  make(random: Random): Reply {
    const scenario = this.scenario(random);
    const written = this.protocol(random);
    const other = () => this.rendered(random, scenario, random.chance(0.5) ? written : random.pick(protocolNames));
    const begun = this.rendered(random, scenario, written);
    const { text, applied } = mutate(begun, { random, protocol: getProtocol(written), other });
    const kind = random.int(24);
    const protocol = this.only ?? (kind < 4 ? "auto" : kind < 8 ? random.pick(protocolNames) : written);
    const tools = kind === 8 ? [] : kind === 9 || kind === 10 ? undefined : scenario.tools;
    const options: Options = { tools, protocol, accept: random.chance(0.5) ? "any" : "own" };
    if (random.chance(0.05))
      options.prefill = random.pick(["<think>\n", "Sure: ", begun.slice(0, random.int(begun.length + 1))]);
    const finish = random.pick([undefined, undefined, undefined, "stop", "length"] as const);
    return new Reply(text, options, finish, random.int(2 ** 31), applied);
  }
}
