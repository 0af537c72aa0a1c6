// The public API for users and adapters: the vocabulary (`protocol`, `types`) as a whole, everything else by name.
export * from "./chat/index.js";
export { ConversationError, OptionsError, ProtocolError, RenderError, ToolinguaError } from "./errors.js";
export { defineProtocol, type ReplyParserOptions } from "./full/index.js";
export { createReplyParser, parseReply, type ReadingOptions } from "./parse.js";
export type { ConstraintTarget } from "./prompt/constrain.js";
export { escapeText, unescapeText } from "./prompt/escape.js";
export type { RenderPromptOptions } from "./prompt/prompt-options.js";
export { type RenderedPrompt, renderPrompt } from "./prompt/render-prompt.js";
export type { Transcript, TranscriptContext, TranscriptRenderer } from "./prompt/transcript.js";
export * from "./protocol.js";
export { amXml, jsonAction, laic } from "./protocol-factories.js";
export type { AmXmlOptions } from "./protocols/am-xml.js";
export { getProtocol, knownProtocol, type ProtocolName, protocolForModel, protocols } from "./protocols/index.js";
export type { JsonActionOptions } from "./protocols/json-action.js";
export type { LaicOptions } from "./protocols/laic.js";
export { readFinishReason } from "./providers/common/finish-reason.js";
export { collectReply } from "./reply/parse-reply.js";
export type { BodyKind } from "./reply/readers/body-kind.js";
export type { GivenAliases } from "./schema/aliases.js";
export { AliasError, SchemaError, ToolDefinitionError } from "./schema/errors.js";
export { explainInvalidArguments } from "./schema/explain.js";
export type { FromJsonSchema } from "./schema/from-json-schema.js";
export { writableName } from "./schema/names.js";
export type { SchemaProblem } from "./schema/normalize.js";
export { normalizeTools } from "./schema/normalize-tools.js";
export { type SchemaInput, toJsonSchema } from "./schema/to-json-schema.js";
export type { InputOf, OutputOf, ReadBy, ToolCallOf } from "./schema/tool-call-of.js";
export type { AnyTool, ToolInput } from "./schema/tool-shapes.js";
export { validateValue } from "./schema/validate-value.js";
export type { ValidationIssue } from "./schema/validation-issue.js";
export { StopSequences } from "./stop-sequences.js";
export { listTools, toolsAsJson, toolsAsLines, toolsAsSignatures } from "./tool-text/listed-tools.js";
export { InvalidToolCallError, ToolChoiceError } from "./turn/errors.js";
export type { GenerateOptions } from "./turn/generate-options.js";
export { generateWithTools } from "./turn/generate-with-tools.js";
export type { RepeatedCall } from "./turn/repeated-calls.js";
export type { SelectionSummary } from "./turn/selection/shown-tools.js";
export {
  type SelectedTools,
  type SelectionRequest,
  ToolSelection,
  type ToolSelectionOptions,
} from "./turn/selection/tool-selection.js";
export { readToolChoice } from "./turn/tool-choice.js";
export type { TraceEvent, TraceListener } from "./turn/trace.js";
export type { Turn } from "./turn/turn.js";
export type { TurnResult } from "./turn/turn-result.js";
export { type TextReason, type WhyTextOptions, whyText } from "./turn/why/why-text.js";
export type { ReplyParser } from "./types.js";
export * from "./types.js";
