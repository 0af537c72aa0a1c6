import { collectReply, createReplyParser, type ParsedReply, type ReplyParserOptions } from "@toolingua/core";
import { namedProtocol } from "../protocols/named-protocol.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { readAll, readPieces } from "../terminal/read-input.js";
import type { Terminal } from "../terminal/terminal.js";
import { loadToolsIn, namesTools, type ToolOptions } from "../tool-sources/load-tools.js";
import { explainReply } from "./explain-reply.js";
import { printExplained } from "./print-explained.js";
import { printReply } from "./print-reply.js";

/** The options of `toolingua parse`. */
export interface ParseOptions extends ToolOptions {
  protocol?: string;
  accept?: "any" | "own";
  prefill?: string;
  cutOff?: boolean;
  stream?: boolean;
  explain?: boolean;
}

/** `toolingua parse`: parses a reply. Returns 0 for calls, 1 for text only, 2 for an invalid call. */
export async function run(terminal: Terminal, file: string | undefined, options: ParseOptions): Promise<number> {
  const how = await readerOptions(terminal, options);
  const finish = options.cutOff ? "length" : "stop";
  if (options.stream) {
    return await stream(terminal, readPieces(terminal, file), how, finish);
  }
  const reply = await readAll(terminal, file);
  if (reply.trim() === "") noteEmpty(terminal);
  const parser = createReplyParser({ ...how, deltas: false });
  const events = [...parser.push(reply), ...parser.end({ finish })];
  const parsed = collectReply(events);
  const parts = explainReply(reply, { ...how, finish });
  if (options.explain) {
    if (terminal.json) terminal.printJson(parts);
    else printExplained(terminal, parts);
    return exitCode(parsed);
  }
  const reasons = parts.flatMap((part) =>
    "why" in part && part.why !== undefined ? [{ text: part.source, reason: part.why }] : [],
  );
  const dropped = events.flatMap((event) =>
    event.type === "dropped" ? [{ text: event.text, reason: event.reason }] : [],
  );
  const found = { ...(dropped.length > 0 && { dropped }), ...(reasons.length > 0 && { whyText: reasons }) };
  if (terminal.json) terminal.printJson({ ...parsed, ...found });
  else printReply(terminal, events, reasons);
  return exitCode(parsed);
}

async function readerOptions(terminal: Terminal, options: ParseOptions): Promise<ReplyParserOptions> {
  const { protocol = "auto", accept, prefill } = options;
  const named = protocol === "auto" ? protocol : namedProtocol(protocol);
  if (!namesTools(options)) return { protocol: named, accept, prefill };
  const { tools, close } = await loadToolsIn(terminal, options);
  // Only the definitions of the tools are needed.
  await close();
  return { protocol: named, accept, prefill, tools };
}

/** Writes events as lines of JSON, those of a piece before the next is read. */
async function stream(
  terminal: Terminal,
  pieces: AsyncIterable<string>,
  how: ReplyParserOptions,
  finish: "stop" | "length",
): Promise<number> {
  const parser = createReplyParser(how);
  const calls: Calls = { toolCalls: [], invalidToolCalls: [] };
  const write = async (events: ReturnType<typeof parser.push>) => {
    for (const event of events) {
      if (event.type === "call-end") calls.toolCalls.push(event.call);
      if (event.type === "call-invalid") calls.invalidToolCalls.push(event.call);
      await terminal.writeJson(event);
    }
  };
  let isEmpty = true;
  for await (const piece of pieces) {
    isEmpty &&= piece.trim() === "";
    await write(parser.push(piece));
  }
  if (isEmpty) noteEmpty(terminal);
  await write(parser.end({ finish }));
  return exitCode(calls);
}

/** An empty reply is valid, but mostly not what was meant: a program failed, or a variable was not set. */
const noteEmpty = (terminal: Terminal) => terminal.note("The reply is empty.");

type Calls = Pick<ParsedReply, "toolCalls" | "invalidToolCalls">;

const isTextOnly = ({ toolCalls, invalidToolCalls }: Calls) => toolCalls.length + invalidToolCalls.length === 0;

function exitCode(reply: Calls): number {
  if (reply.invalidToolCalls.length > 0) return exitCodes.invalidCall;
  return isTextOnly(reply) ? exitCodes.nothingFound : exitCodes.success;
}
