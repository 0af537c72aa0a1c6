import { describeValue } from "../common/describe-value.js";
import { OptionsError } from "../errors.js";
import type { Protocol } from "../protocol.js";
import type { Registry } from "../registry.js";
import type { ToolDefinition } from "../types.js";
import type { UntrustedTexts } from "./untrusted/copy-watch.js";

/** Options for reading a reply. */
export interface ReplyParserOptions<Name extends string = string> {
  /** The available tools. undefined: unknown, so names and arguments pass unchecked. []: there are no calls. */
  tools?: readonly ToolDefinition[] | undefined;
  /** The requested wire format; `auto` recognises all registered ones. Default `auto`. */
  protocol?: Name | Protocol | "auto" | undefined;
  /** The protocols for names, `auto` and `accept: "any"`. Default: none. */
  registry?: Registry | undefined;
  /**
   * `any` (the default): calls in other registered formats, or as bare JSON, are read too. With `@toolingua/core/reply`, bare
   * JSON is read only if one of the protocols in use has a body of the kind `json-call`, as `hermes` has. `own`: only calls
   * in `protocol`.
   */
  accept?: "any" | "own" | undefined;
  /** The beginning of the assistant's turn in the prompt, such as `<think>\n` or the opener of a call. */
  prefill?: string | undefined;
  /**
   * Texts of this conversation that neither the application nor the model wrote, as `untrustedTexts` prepares them. A
   * call whose source occurs in them is a copy and not a call: it becomes `text` with the reason `copied-call`. Default:
   * none.
   */
  untrusted?: UntrustedTexts | undefined;
  /** Whether to emit `call-delta` events. Default `true`; without them, reading arguments is faster. */
  deltas?: boolean | undefined;
  /** Whether each `call-end` has the `source` of its call, as an invalid call has in `raw`. Default `false`. */
  sources?: boolean | undefined;
  /** Creates the id of each call. Default: `call_` and 24 random letters and digits. */
  generateId?: (() => string) | undefined;
}

/** The options that other entries of this package set themselves. */
export type ReplySettings = Pick<ReplyParserOptions, "registry" | "untrusted" | "deltas" | "sources">;

/** The other options. */
export type ReplyOptions = Omit<ReplyParserOptions, keyof ReplySettings>;

/** The same texts. JavaScript may pass plain strings, which the parser cannot search. Errors: {@link OptionsError}. */
export function checkedUntrusted(untrusted: UntrustedTexts | undefined): UntrustedTexts | undefined {
  if (untrusted === undefined || typeof untrusted.watch === "function") return untrusted;
  throw new OptionsError(
    "bad-option",
    'Pass `untrusted: untrustedTexts(texts)`, with `untrustedTexts` of "@toolingua/core/reply".',
  );
}

/** Why a piece of a reply is refused. */
export function refusedPiece(chunk: unknown, ended: boolean): OptionsError {
  const why = ended
    ? "The parser has ended. It reads one reply; make a new one for the next."
    : `A piece of a reply is a string, not ${describeValue(chunk)}.`;
  return new OptionsError("bad-option", why);
}
