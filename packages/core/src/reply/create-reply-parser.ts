import { checkArgument } from "../check-argument.js";
import { randomId } from "../common/random-id.js";
import { ProtocolError } from "../errors.js";
import type { Protocol } from "../protocol.js";
import { protocolIn, type Registry } from "../registry.js";
import type { ReplyParser } from "../types.js";
import { compile } from "./opening/compile.js";
import { Parser } from "./parser.js";
import type { ReplyOptions, ReplyParserOptions, ReplySettings } from "./reply-parser-options.js";

/**
 * A parser for one reply. Text, reasoning and the strings of marked calls are emitted as they arrive; at any moment
 * they lag by at most the longest marker and 64 characters. Three things are buffered: calls without a marker, until
 * the reply has ended; values that are not plain strings, until they are complete; and the calls of formats that
 * require it (YAML, `json-action` in strict mode). A call that begins like `untrusted` text is buffered until it
 * differs.
 *
 * Errors: `ProtocolError` for an unknown protocol, `OptionsError` (`bad-option`). The reply itself never makes
 * it throw: broken calls are events.
 *
 * @example
 * const parser = createReplyParser({ protocol: hermes, tools });
 * for await (const chunk of stream) for (const event of parser.push(chunk)) handle(event);
 * for (const event of parser.end()) handle(event);
 */
export function createReplyParser(options: ReplyParserOptions = {}): ReplyParser {
  checkArgument("options", "object", options);
  return parserOf(options, options);
}

/** The same with settings of its own: copying the options would take a fifth of the time of a short reply. */
export function parserOf(options: ReplyOptions, settings: ReplySettings): ReplyParser {
  const { registry = nothing } = settings;
  const asked = protocolOf(options.protocol ?? "auto", registry);
  const accept = options.tools?.length === 0 ? "none" : asked === "auto" ? "any" : (options.accept ?? "any");
  const compiled = compile(registry, asked, accept);
  const parser = new Parser(compiled, options, settings);
  return compiled.check?.(parser, options.generateId ?? randomId, options.prefill ?? "") ?? parser;
}

const nothing: Registry = Object.freeze({});

/** The protocol by name; `auto` means all registered ones. */
function protocolOf(protocol: Protocol | string, registry: Registry): Protocol | "auto" {
  if (protocol !== "auto") return protocolIn(registry, protocol);
  if (registry !== nothing) return protocol;
  throw new ProtocolError(
    "unknown-protocol",
    'Which protocol? Pass `protocol`, such as `hermes` of "@toolingua/core/protocols/hermes", or a `registry`, such as the `protocols` of "@toolingua/core/protocols".',
  );
}
