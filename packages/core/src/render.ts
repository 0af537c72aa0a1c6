import { bodyKindOf } from "./body-kinds.js";
import { RenderError } from "./errors.js";
import type { BodyKind, WrittenCall } from "./reply/readers/body-kind.js";
import { aliasesFor } from "./schema/aliases-for.js";
import { BARE_NAME } from "./schema/names.js";
import { planFor } from "./schema/plan.js";
import { whyNoElement } from "./syntax/element-names.js";
import { isBodyOf, isSlot, type Syntax } from "./syntax/syntax.js";
import { closingTagsAfter } from "./syntax/tokens.js";
import { quotedXml } from "./tool-text/xml-text.js";
import type { ToolDefinition } from "./types.js";

/**
 * Renders calls in a syntax, in order; separated by a newline unless the syntax has another separator.
 *
 * Errors: {@link RenderError} if the format cannot represent a name, a key or a value.
 *
 * @example
 * renderCalls(hermes.syntax, [{ name: "add", arguments: { a: 1 } }], tools, hermes.bodies);
 * // <tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>
 */
export function renderCalls(
  syntax: Syntax,
  calls: readonly WrittenCall[],
  tools: readonly ToolDefinition[],
  bodies: readonly BodyKind[],
): string {
  const { open, separator, close } = syntax.block ?? { open: "", separator: "\n", close: "" };
  const written = calls.map((call, index) => {
    const plan = planFor(tools.find((tool) => tool.name === call.name)?.parameters);
    return syntax.call
      .map((part, i) => {
        if (typeof part === "string") return part;
        if (!isSlot(part)) {
          const closers = closingTagsAfter(syntax, i, call.name);
          return bodyKindOf(part, bodies).render(part, call, { plan, tools, index, closers });
        }
        if (part.slot === "index") return String(index + (part.first ?? 0)).padStart(part.digits ?? 1, "0");
        return renderName(call.name, syntax, i);
      })
      .join("");
  });
  return open + written.join(separator) + close;
}

/** The name of a tool in calls of this syntax: its alias, if the syntax has aliases. */
export function nameInCalls(syntax: Syntax, name: string, tools: readonly ToolDefinition[]): string {
  for (const part of syntax.call) {
    if (!isBodyOf(part, "attributes") || !part.aliases) continue;
    return aliasesFor(tools, part.aliases, part.name).tools.short(name);
  }
  return name;
}

/** Renders a name: unchanged; escaped inside an attribute; refused if it would end its own slot. */
function renderName(name: string, syntax: Syntax, i: number): string {
  const { call } = syntax;
  const [before, next] = [call[i - 1], call[i + 1]];
  if (before === "<" || before === "</") {
    const why = whyNoElement(name, syntax);
    if (why !== undefined) throw new RenderError("unwritable-name", `The tool name ${JSON.stringify(name)} ${why}.`);
  }
  const end = typeof next === "string" ? next.trimStart() : "";
  if (end.startsWith('"')) return quotedXml(name);
  if (!BARE_NAME.test(name) || (end !== "" && name.includes(end))) {
    const allowed = "letters, digits, _ $ . : / and -";
    throw new RenderError(
      "unwritable-name",
      `The tool name ${JSON.stringify(name)} has characters other than ${allowed}.`,
    );
  }
  return name;
}
