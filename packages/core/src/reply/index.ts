// The reply parser with the given protocols only. The main entry knows all of them.
export { defineProtocol } from "../define-protocol.js";
export { OptionsError, ProtocolError } from "../errors.js";
export type { Protocol, ProtocolDeclaration } from "../protocol.js";
export type { Registry } from "../registry.js";
export type {
  DroppedReason,
  FinishReason,
  ParsedReply,
  Repair,
  RepairCode,
  ReplyEvent,
  ReplyParser,
  ToolCall,
  ToolDefinition,
} from "../types.js";
export { createReplyParser } from "./create-reply-parser.js";
export { collectReply, parseReply } from "./parse-reply.js";
export type { BodyKind } from "./readers/body-kind.js";
export type { ReplyParserOptions } from "./reply-parser-options.js";
export type { UntrustedTexts } from "./untrusted/copy-watch.js";
export { untrustedTexts } from "./untrusted/untrusted-texts.js";
