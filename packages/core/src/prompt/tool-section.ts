import type { Protocol, ToolPromptContext } from "../protocol.js";
import { checkLimits, withinLimits } from "../schema/limits.js";
import type { ToolDefinition } from "../types.js";
import type { Escaper } from "./escape.js";
import { escapeDefinition } from "./escape-definition.js";

interface Section extends ToolPromptContext {
  tools: readonly ToolDefinition[];
  escaper: Escaper;
  text: string;
}

/** Sections that were written, by protocol and first tool. */
const written = new WeakMap<Protocol, WeakMap<ToolDefinition, Section[]>>();

/** How many sections that begin with the same tool are kept. */
const KEPT = 4;

/**
 * The system message's section on the tools: what the protocol says of them, their texts escaped.
 *
 * It is the same in every turn of a conversation and long where tools are many, so it is written once for the same
 * definitions (the objects, which must not be changed afterwards).
 *
 * Errors: `ToolDefinitionError` `limit` for a tool whose parameters are too large.
 */
export function toolSection(
  protocol: Protocol,
  tools: readonly ToolDefinition[],
  context: ToolPromptContext,
  escaper: Escaper,
): string {
  const first = tools[0];
  if (!first) return "";
  const byTool = written.get(protocol) ?? new WeakMap<ToolDefinition, Section[]>();
  written.set(protocol, byTool);
  const sections = byTool.get(first) ?? [];
  const known = sections.find(
    (section) =>
      section.escaper === escaper &&
      section.style === context.style &&
      section.parallel === context.parallel &&
      nameOf(section) === nameOf(context) &&
      section.tools.length === tools.length &&
      section.tools.every((tool, i) => tool === tools[i]),
  );
  if (known) return known.text;
  const text = withinLimits(tools, (some) =>
    protocol.renderTools(
      some.map((tool) => {
        checkLimits(tool);
        return escapeDefinition(tool, escaper);
      }),
      context,
    ),
  );
  const { style, parallel, toolChoice } = context;
  // Field by field: an object that is spread keeps a shape of its own, as large as itself.
  const section: Section = { style, parallel, toolChoice, tools: [...tools], escaper, text };
  byTool.set(first, [section, ...sections.slice(0, KEPT - 1)]);
  return text;
}

const nameOf = ({ toolChoice }: ToolPromptContext) => (typeof toolChoice === "object" ? toolChoice.name : toolChoice);
