import { type ProtocolName, protocols } from "../protocols/index.js";
import type { ToolDefinition } from "../types.js";

/** A call that is looked for in what a template writes. */
export const probeName = "made_of";
export const probeArguments = { x: "probed" };

/** The tool of that call, with all that a template may ask for. */
export const probeTool: ToolDefinition = {
  name: probeName,
  description: "A tool",
  parameters: { type: "object", properties: { x: { type: "string", description: "A text" } }, required: ["x"] },
};

/**
 * Of the registered formats whose call of the probe stands in a text as they write it, the one that says most: some are
 * part of others. `plain`: what both are compared without.
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
