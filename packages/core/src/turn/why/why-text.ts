import { checkArgument } from "../../check-argument.js";
import { createReplyParser, type ReplyParserOptions } from "../../full/index.js";
import type { Protocol } from "../../protocol.js";
import { preparedTools } from "../../schema/prepared-tools.js";
import type { AnyTool } from "../../schema/tool-shapes.js";
import type { ReplyEvent } from "../../types.js";
import { whyNoCall } from "./why-no-call.js";

/** Text that looks like a call, with the reason why it is not one. */
export interface TextReason {
  text: string;
  reason: string;
}

/** The options with which the reply was parsed. */
export interface WhyTextOptions {
  /** Tools of any shape that `normalizeTools` accepts. */
  tools: readonly AnyTool[];
  protocol: Protocol | "auto";
  accept?: "any" | "own" | undefined;
  /** The model's reasoning, where a server sends it apart from the reply. */
  reasoning: string;
  /** Text from which a call may be copied. */
  untrusted?: readonly string[] | undefined;
}

/** A piece of a reply, in its order: `became` is `text`, `reasoning` or something else, such as `call`. */
export interface ReplyPiece {
  became: string;
  source: string;
  /** A text is a copy of an untrusted one. */
  isCopied?: boolean | undefined;
  /** A call, which has an `error` if it is invalid. */
  call?: object | undefined;
}

/**
 * Explains why a reply that seems to contain calls has none, for each of its texts: a call in another format, of an unknown
 * tool, in a code block, beside other words, with other keys, cut off, copied, in the reasoning, and so on. For traces only,
 * because it parses each text several times.
 *
 * Errors: `OptionsError` (`bad-option`); `ToolDefinitionError`.
 *
 * @example
 * whyText('<tool_call>{"name": "add", "arguments": {}}</tool_call>', { tools: [], protocol: hermes, reasoning: "" });
 * // [{ reason: 'a call of "add", but there are no tools', … }]
 */
export function whyText(raw: string, options: WhyTextOptions): TextReason[] {
  checkArgument("options", "object", options);
  checkArgument("raw", "string", raw);
  checkArgument("reasoning", "string", options.reasoning);
  checkArgument("tools", "list", options.tools);
  const { reasoning, untrusted, ...given } = options;
  const how = { ...given, tools: preparedTools(given.tools) };
  const parser = createReplyParser({ ...how, untrusted, deltas: false });
  const pieces = piecesOf([...parser.push(raw), ...parser.end()]);
  const isApart = reasoning !== "" && !pieces.some(({ became }) => became === "reasoning");
  const all = isApart ? [{ became: "reasoning", source: reasoning }, ...pieces] : pieces;
  return whyPieces(all, how).flatMap((reason, i) => (reason === undefined ? [] : [{ text: all[i]!.source, reason }]));
}

/**
 * For each piece of a reply: why it is no call; `undefined` for one that does not look like a call, and for one that is none of
 * `text` and `reasoning`.
 *
 * @example whyPieces([{ became: "text", source: "Write `now()`." }], { tools: [{ name: "now" }] });
 * // [ 'a call of "now" in a code block or inline code is quoted' ]
 */
export function whyPieces(pieces: readonly ReplyPiece[], how: ReplyParserOptions): (string | undefined)[] {
  let followsInvalid = false;
  return pieces.map(({ became, source, isCopied = false, call }, i) => {
    if (call) followsInvalid ||= "error" in call;
    if (became !== "text" && became !== "reasoning") return undefined;
    const place = { isReasoning: became === "reasoning", followsInvalid, isLast: i === pieces.length - 1, isCopied };
    return whyNoCall(source, how, place);
  });
}

function piecesOf(events: readonly ReplyEvent[]): ReplyPiece[] {
  const pieces: ReplyPiece[] = [];
  for (const event of events) {
    const last = pieces.at(-1);
    if (event.type === "call-end" || event.type === "call-invalid")
      pieces.push({ became: "call", source: "", call: event.call });
    if (event.type !== "text" && event.type !== "reasoning") continue;
    const isCopied = event.type === "text" && event.reason === "copied-call";
    if (last?.became === event.type && last.isCopied === isCopied) last.source += event.text;
    else pieces.push({ became: event.type, source: event.text, isCopied });
  }
  return pieces;
}
