import { type ProtocolName, parseReply, protocols, type ToolDefinition } from "@toolingua/core";
import { GrammarError, toolCallGrammar } from "@toolingua/core/grammar";

const weather: ToolDefinition = {
  name: "get_weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
};

/** What a wire format declares. */
export function facts(name: ProtocolName) {
  const { about, syntax } = protocols[name];
  return {
    name,
    models: about.models,
    source: about.source,
    parallelCalls: syntax.parallel === true,
    callsStand: placeOf(name, name),
    callsStandUnasked: placeOf(name, "auto"),
  };
}

/** Where calls count in a reply. */
export type Place = "anywhere" | "line" | "line or end" | "end" | "last line" | "alone";

export const placeWords: Readonly<Record<Place, string>> = {
  anywhere: "anywhere",
  line: "on their own line",
  "line or end": "on their own line, or at the end",
  end: "at the end",
  "last line": "at the end, on their own line",
  alone: "alone",
};

/**
 * Where the parser reads a call in this format, if `asked` was asked for: as it reads replies with the call in these places.
 */
function placeOf(name: ProtocolName, asked: ProtocolName | "auto"): Place {
  const call = exampleOf(name);
  const counts = (reply: string) => parseReply(reply, { tools: [weather], protocol: asked }).toolCalls.length > 0;
  if (counts(`I look. ${call} Then I answer.`)) return "anywhere";
  const isLast = counts(`I look. ${call}`);
  if (counts(`I look.\n${call}\nThen I answer.`)) return isLast ? "line or end" : "line";
  if (isLast) return "end";
  return counts(`I look.\n${call}`) ? "last line" : "alone";
}

/** The same, with an example, and whether it has a grammar. `scripts/protocols-page.mjs` makes a page of them. */
export function allFacts(name: ProtocolName) {
  return { ...facts(name), grammar: hasGrammar(name), example: exampleOf(name) };
}

const exampleOf = (name: ProtocolName): string =>
  protocols[name].renderCalls([{ name: "get_weather", arguments: { city: "Paris", days: 2 } }], { tools: [weather] });

function hasGrammar(name: ProtocolName): boolean {
  try {
    return toolCallGrammar({ tools: [weather], protocol: name, toolChoice: "required" }).grammar !== "";
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported") return false;
    throw error;
  }
}
