import { checkArgument } from "../check-argument.js";
import { clip } from "../common/clip.js";
import { nearestNames } from "../common/nearest-name.js";
import type { JsonSchema, ToolCallError, ToolDefinition } from "../types.js";
import { annotate } from "./annotate.js";
import { printJson, stepsOf } from "./json.js";
import type { ValidationIssue } from "./validation-issue.js";

/** The maximum number of issues in one feedback. The others appear when these are fixed. */
const ISSUES = 8;

/** Lengths, in UTF-16 units, that keep every feedback below about 2,000. */
const PRINTED = 1_100;
const LINE = 170;
const FRAGMENTS = 450;

/** Issues that are deeper are listed by path, because indentation would no longer help. */
const DEPTH = 8;

const name80 = (name: string) => printJson(clip(name, 80));

/**
 * Explains to the model that wrote a call why the arguments do not match: prints them with a comment on each wrong
 * line, the violated parts of the schema, and what to do. At most about 2,000 characters for any input.
 *
 * @example
 * explainInvalidArguments({ name: "add", arguments: { a: "x" }, issues: validateValue({ a: "x" }, schema), schema }).feedback;
 * // The call to "add" was not run: its arguments do not match the tool's schema.
 * //
 * // {
 * //   "a": "x"  // ← expected integer, got string "x"
 * // }
 * //
 * // The schema says:
 * // a: {"type":"integer"}
 * //
 * // Call "add" again with every argument as the schema says; keep the arguments that were right.
 */
export function explainInvalidArguments(call: {
  name: string;
  arguments: unknown;
  issues: readonly ValidationIssue[];
  schema: JsonSchema | undefined;
}): ToolCallError {
  checkArgument("call", "object", call);
  checkArgument("issues", "list", call.issues);
  const issues = call.issues.slice(0, ISSUES).map((issue) => ({ ...issue, message: clip(issue.message, LINE) }));
  const more = call.issues.length - issues.length;
  const [first] = issues;
  const feedback = [
    `The call to ${name80(call.name)} was not run: its arguments do not match the tool's schema.`,
    printed(call.arguments, issues) + (more > 0 ? `\n(and ${more} more)` : ""),
    fragments(issues, call.schema),
    `Call ${name80(call.name)} again with every argument as the schema says; keep the arguments that were right.`,
  ];
  const where = first?.path ? `${clip(first.path, 80)} ` : "";
  const others = call.issues.length > 1 ? ` (and ${call.issues.length - 1} more)` : "";
  return {
    code: "invalid-arguments",
    message: `Invalid arguments for ${name80(call.name)}: ${where}${first?.message ?? "they do not match the schema"}${others}`,
    feedback: feedback.filter((part) => part !== "").join("\n\n"),
  };
}

/** The annotated arguments, or a plain list if those would be too long or too deep. */
function printed(args: unknown, issues: readonly ValidationIssue[]): string {
  if (issues.every((issue) => stepsOf(issue.path).length <= DEPTH)) {
    const annotated = annotate(args, issues);
    if (annotated.length <= PRINTED) return annotated;
  }
  const width = Math.floor(PRINTED / issues.length) - 1;
  return issues
    .map(({ path, message }) => clip(`- ${clip(path || "the arguments", 60)}: ${message}`, width))
    .join("\n");
}

function fragments(issues: readonly ValidationIssue[], root: JsonSchema | undefined): string {
  const lines = new Set<string>();
  for (const { path, schema } of issues) {
    // The prompt contains the whole schema of the tool already; a part of it helps.
    if (schema === undefined || schema === root) continue;
    lines.add(clip(`${clip(path.slice(1), 60)}: ${printJson(schema)}`, 220));
  }
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length <= FRAGMENTS) shown.push(line);
  }
  return shown.length > 0 ? `The schema says:\n${shown.join("\n")}` : "";
}

/** The maximum number of tools that are listed for a model that called an unknown one. */
const NAMES = 20;

/**
 * Explains a call to an unknown tool: lists the tools that exist, the nearest first. The call is never redirected.
 *
 * @example
 * explainUnknownTool("get_wether", [{ name: "get_weather" }]).message; // There is no tool named "get_wether". Did you mean "get_weather"?
 */
export function explainUnknownTool(name: string, tools: readonly Pick<ToolDefinition, "name">[]): ToolCallError {
  const { ranked, meant } = nearestNames(
    name,
    tools.map((tool) => tool.name),
  );
  const message = `There is no tool named ${name80(name)}.${meant === undefined ? "" : ` Did you mean ${name80(meant)}?`}`;
  if (ranked.length === 0)
    return { code: "unknown-tool", message, feedback: `${message} There are no tools; answer without calling one.` };
  const names = ranked.slice(0, NAMES).map(name80);
  const rest = ranked.length > NAMES ? ` and ${ranked.length - NAMES} more` : "";
  return {
    code: "unknown-tool",
    message,
    feedback: `${message}\n\nThe tools are: ${clip(names.join(", "), 1_500)}${rest}.\n\nCall one of these by its exact name, or answer without a tool.`,
  };
}

/**
 * Explains a call whose markup or JSON is broken beyond repair. `reason`: the fault, in words for the model. `what`: what is
 * broken, if it is the reply as a whole.
 *
 * @example explainMalformed({ raw: "<tool_call>{oops", reason: "this is not JSON" });
 */
export function explainMalformed(call: { raw: string; reason: string; what?: "call" | "reply" }): ToolCallError {
  const { what = "call" } = call;
  return broken(
    "malformed",
    `The ${what} could not be read: ${clip(call.reason, 300)}.`,
    call,
    `Write the ${what} again, exactly in the format.`,
  );
}

/**
 * Explains a call that is cut off by the end of the reply.
 *
 * @example explainTruncated({ raw: '<tool_call>{"name": "add", "arg' });
 */
export function explainTruncated(call: { raw: string; name?: string | undefined }): ToolCallError {
  const which = call.name === undefined ? "The call" : `The call to ${name80(call.name)}`;
  return broken(
    "truncated",
    `${which} was cut off before it was complete.`,
    call,
    "Write the whole call again, with shorter arguments if they were long.",
  );
}

function broken(
  code: "malformed" | "truncated",
  what: string,
  call: { raw: string; what?: "call" | "reply" },
  instruction: string,
): ToolCallError {
  const parts = [call.what === "reply" ? what : `${what} It was not run.`];
  if (call.raw.trim() !== "") parts.push(`You wrote:\n${excerpt(call.raw)}`);
  parts.push(instruction);
  return { code, message: what, feedback: parts.join("\n\n") };
}

/** Both ends of a long text: its beginning, and the place of the fault. */
function excerpt(raw: string): string {
  if (raw.length <= 600) return raw;
  const tail = raw.slice(-300);
  return `${clip(raw, 300)}\n…\n${/^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail}`;
}
