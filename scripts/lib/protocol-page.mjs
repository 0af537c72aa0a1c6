/** The page on wire formats, docs/protocols.md, made from the registry. */
export function protocolPage(protocols) {
  const tools = [
    {
      name: "get_weather",
      parameters: {
        type: "object",
        properties: { city: { type: "string" }, days: { type: "integer" } },
        required: ["city"],
      },
    },
  ];
  const calls = [{ name: "get_weather", arguments: { city: "Paris", days: 2 } }];
  const all = Object.entries(protocols);
  return [
    "# Wire formats",
    "",
    "<!-- Made by `node scripts/protocols-page.mjs` from the registry, packages/core/src/protocols/index.ts. -->",
    "",
    "A model writes calls best in the format it was trained on. `protocolForModel(id)` chooses it by the model's id; a model",
    "that was trained on none gets `xml`. Every format is understood in replies, whichever was asked for.",
    "",
    "| name | models | several calls | calls stand |",
    "| --- | --- | --- | --- |",
    ...all.map(([name, { about, syntax }]) =>
      row([
        `[\`${name}\`](#${name})`,
        about.models,
        syntax.parallel ? "yes" : "no",
        syntax.at === "reply" ? "alone" : "anywhere",
      ]),
    ),
    ...all.flatMap(([name, { about, renderCalls }]) => [
      "",
      `## ${name}`,
      "",
      `For ${about.models}. Source: ${about.source}.`,
      "",
      "````text",
      renderCalls(calls, { tools }),
      "````",
    ]),
    "",
  ].join("\n");
}

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
