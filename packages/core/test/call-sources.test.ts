import { expect, it } from "vitest";
import { createReplyParser, type ProtocolName, protocols, type ReplyEvent } from "../src/index.js";
import { add } from "./support/scripted-turn.js";

const sourcesIn = (events: readonly ReplyEvent[]) =>
  events.flatMap((event) => (event.type === "call-end" ? [event.source] : []));

it.each(Object.keys(protocols) as ProtocolName[])(
  "a call's source is what the model wrote, whole and in pieces, if it is asked for: %s",
  (protocol) => {
    const text = protocols[protocol].renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools: [add] });
    const read = (pieces: Iterable<string>, sources?: boolean) => {
      const parser = createReplyParser({ tools: [add], protocol, sources });
      return sourcesIn([...Array.from(pieces, (piece) => parser.push(piece)).flat(), ...parser.end()]);
    };
    const [source = ""] = read([text], true);
    expect(source).not.toBe("");
    expect(text).toContain(source);
    expect(read(text, true)).toEqual([source]);
    expect(read([text])).toEqual([undefined]);
  },
);
