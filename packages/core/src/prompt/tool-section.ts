import { oncePerPair } from "../common/once-per.js";
import type { Protocol, ToolPromptContext } from "../protocol.js";
import { checkLimits, withinLimits } from "../schema/limits.js";
import { isPrepared } from "../schema/prepared-tools.js";
import type { ToolDefinition } from "../types.js";
import type { Escaper } from "./escape.js";
import { escapeDefinition } from "./escape-definition.js";

interface Section extends Omit<ToolPromptContext, "listTools"> {
  escaper: Escaper;
  text: string;
}

/** Cached sections, by protocol and list: a section is as large as all its tools, and must not outlive their list. */
const sectionsOf = oncePerPair((_protocol: Protocol, _list: readonly ToolDefinition[]): Section[] => []);

/** The number of cached sections of one list. */
const MAX_SECTIONS = 4;

/**
 * The system message's section on the tools, as the protocol renders it, with escaped texts.
 *
 * The section is the same in every turn of a conversation and can be long, so it is cached with a list that
 * `preparedTools` made; the definitions of every other list may have changed since.
 *
 * Errors: `ToolDefinitionError` `limit` for a tool whose parameters are too large.
 */
export function toolSection(
  protocol: Protocol,
  tools: readonly ToolDefinition[],
  context: ToolPromptContext,
  escaper: Escaper,
): string {
  if (tools.length === 0) return "";
  const sections = isPrepared(tools) ? sectionsOf(protocol, tools) : [];
  const known = sections.find(
    (section) =>
      section.escaper === escaper &&
      section.style === context.style &&
      section.parallel === context.parallel &&
      nameOf(section) === nameOf(context),
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
  // Field by field: a spread object gets its own hidden class, as large as the object.
  const section: Section = { style, parallel, toolChoice, escaper, text };
  sections.unshift(section);
  if (sections.length > MAX_SECTIONS) sections.pop();
  return text;
}

const nameOf = ({ toolChoice }: Pick<ToolPromptContext, "toolChoice">) =>
  typeof toolChoice === "object" ? toolChoice.name : toolChoice;
