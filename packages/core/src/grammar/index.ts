export type { GrammarTrigger } from "../types.js";
export type { ConstraintBackend } from "./backends.js";
export { type ToolCallGrammar, toolCallGrammar } from "./calls/tool-call-grammar.js";
export { clearGrammarCache, type GrammarCacheInfo, grammarCacheInfo } from "./calls/tool-call-grammar-cache.js";
export { constraintFields } from "./constraint-fields.js";
export { constraintFor } from "./constraint-for.js";
export { toEbnf } from "./dialects/ebnf.js";
export { type CodePoints, type GrammarExpression, type GrammarTree, readGbnf } from "./dialects/grammar-tree.js";
export { toLark } from "./dialects/lark.js";
export { type StructuralTag, structuralTag } from "./dialects/structural-tag.js";
export { type GapPolicy, GrammarError } from "./errors.js";
export type { GrammarGap } from "./gaps.js";
export type {
  ConstraintOptions,
  JsonGrammarOptions,
  ReplySchemaOptions,
  ToolCallGrammarInput,
  ToolCallGrammarOptions,
} from "./grammar-options.js";
export { type JsonGrammar, jsonSchemaToGbnf } from "./json-schema-to-gbnf.js";
export type { JsonStyle, Whitespace } from "./json-style.js";
export { type GrammarMatch, matchGrammar } from "./matching/match-grammar.js";
export { replySchema } from "./reply-schema.js";
