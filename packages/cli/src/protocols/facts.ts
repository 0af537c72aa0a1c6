import { type ProtocolName, protocols, type ToolDefinition } from "@toolingua/core";
import { GrammarError, toolCallGrammar } from "@toolingua/core/grammar";

const weather: ToolDefinition = {
  name: "get_weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
};

/** The names of all wire formats, in the order of the registry. */
export const names = Object.keys(protocols).filter((name): name is ProtocolName => Object.hasOwn(protocols, name));

/** What a wire format declares. */
export function facts(name: ProtocolName) {
  const { about, syntax } = protocols[name];
  return {
    name,
    models: about.models,
    source: about.source,
    parallelCalls: syntax.parallel === true,
    callsStand: syntax.at ?? "anywhere",
  };
}

/** The same, with an example, and whether it has a grammar. `scripts/protocols-page.mjs` makes a page of them. */
export function allFacts(name: ProtocolName) {
  const example = protocols[name].renderCalls([{ name: "get_weather", arguments: { city: "Paris", days: 2 } }], {
    tools: [weather],
  });
  return { ...facts(name), grammar: hasGrammar(name), example };
}

function hasGrammar(name: ProtocolName): boolean {
  try {
    return toolCallGrammar({ tools: [weather], protocol: name, toolChoice: "required" }).grammar !== "";
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported") return false;
    throw error;
  }
}
