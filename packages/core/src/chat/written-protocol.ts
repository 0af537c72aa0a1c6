import { type ProtocolName, protocols } from "../protocols/index.js";
import type { ToolDefinition } from "../types.js";

/** The call for which the output of a template is searched. */
export const probeName = "made_of";
export const probeArguments = { x: "probed" };

/** The tool of that call, with every field that a template may use. */
export const probeTool: ToolDefinition = {
  name: probeName,
  description: "A tool",
  parameters: { type: "object", properties: { x: { type: "string", description: "A text" } }, required: ["x"] },
};

/** Without whitespace, which some versions of a format lack. Of two formats that differ in nothing else, the first counts. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, "");

/**
 * The registered format whose rendering of the probed call occurs in a text. Of several, the one with the longest call
 * wins, because some formats are part of others. `plain` removes what the comparison ignores.
 */
export function writtenProtocol(text: string, plain = (one: string) => one): ProtocolName | undefined {
  const given = plain(text);
  let found: ProtocolName | undefined;
  let longest = 0;
  for (const name of Object.keys(protocols) as ProtocolName[]) {
    const call = plain(
      protocols[name].renderCalls([{ name: probeName, arguments: probeArguments }], { tools: [probeTool] }),
    );
    if (call.length > longest && given.includes(call)) [found, longest] = [name, call.length];
  }
  return found;
}
