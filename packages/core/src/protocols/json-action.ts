import { actionBody } from "../bodies/action.js";
import { jsonBody } from "../bodies/json.js";
import { checkArgument } from "../check-argument.js";
import { defineProtocol } from "../define-protocol.js";
import type { Protocol } from "../protocol.js";
import type { ActionBody, Syntax } from "../syntax/syntax.js";
import { atCommand } from "./at-command.js";
import { namedResults, think } from "./parts.js";
import { exampleCall, toolSection } from "./tool-section.js";

/** Options of {@link jsonAction} for deviations from the requested form. */
export interface JsonActionOptions {
  /**
   * `tolerant` (default): text around the object, other spellings of its keys and at-commands are read.
   * `strict`: a reply that is not exactly one object of this form is rejected with feedback, at the end of the reply.
   */
  mode?: "tolerant" | "strict" | undefined;
  /** The longest thought in strict mode, in characters. Default 200. */
  maxThought?: number | undefined;
}

const body: ActionBody = {
  body: "action",
  thought: "thought",
  action: "action",
  name: "tool",
  arguments: "args",
  final: "final",
  content: "content",
};

/**
 * One JSON object for the whole message: a thought, and either a call or the final answer. For models and servers with
 * a JSON mode, which allows no other text.
 *
 * @example
 * jsonAction({ mode: "strict" }).renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools });
 * // {"action": {"tool": "add", "args": {"a": 2, "b": 3}}}
 */
export function jsonAction(options: JsonActionOptions = {}): Protocol {
  checkArgument("options", "object", options);
  const { mode = "tolerant", maxThought = 200 } = options;
  const { call, at = "line" } = atCommand.syntax;
  const syntax: Syntax = {
    parallel: false,
    call: [mode === "strict" ? { ...body, strict: { maxThought } } : body],
    spans: [think, namedResults.span],
    stop: namedResults.stop,
    ...(mode === "strict" ? {} : { also: [{ call, at }] }),
  };
  const protocol: Protocol = defineProtocol({
    name: "json-action",
    about: { models: "any that follows instructions, or has a JSON mode", source: "Toolingua's own" },
    bodies: [jsonBody, actionBody],
    syntax,
    renderTools(tools, context) {
      return toolSection(tools, context, [
        "Answer with one JSON object and nothing else. To call a tool, write its name and its arguments:",
        exampleCall(protocol, tools).replace("{", '{"thought": "...", '),
        "The result comes in the next message, in a <tool_result>. Call one tool at a time, and only tools of this list.",
        "When no tool is needed, or you have its result, write the answer:",
        '{"thought": "...", "final": {"content": "..."}}',
        `The thought is one short sentence of at most ${maxThought} characters.`,
      ]);
    },
    renderResults: namedResults.render,
  });
  return protocol;
}
