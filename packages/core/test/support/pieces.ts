import { expect } from "vitest";
import { createReplyParser, type ProtocolName } from "../../src/index.js";
import { tools } from "./read.js";

/** A part of a reply: its kind, and its text, a tool's name or the code of an error. */
export type Piece = ["text" | "reasoning" | "dropped" | "call" | "invalid", string];

/** The parts of a reply in order, the same in any chunks. Neighbours of one kind of text are joined. */
export function pieces(reply: string, protocol: ProtocolName | "auto"): Piece[] {
  const [whole = [], ...others] = [[reply], [...reply], reply.split(/(?<=\s)/)].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const found: Piece[] = [];
    for (const event of [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]) {
      const last = found.at(-1);
      if (event.type === "call-end") found.push(["call", event.call.name]);
      else if (event.type === "call-invalid") found.push(["invalid", event.call.error.code]);
      else if (event.type === "call-start" || event.type === "call-delta") continue;
      else if (last?.[0] === event.type) last[1] += event.text;
      else found.push([event.type, event.text]);
    }
    return found;
  });
  for (const other of others) expect(other).toEqual(whole);
  return whole;
}
