import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { createReplyParser } from "../../full/index.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";

const tools = [{ name: "add", parameters: { type: "object" as const, properties: { a: { type: "integer" } } } }];
const names = Object.keys(protocols) as ProtocolName[];
const written = (protocol: ProtocolName) =>
  protocols[protocol].renderCalls([{ name: "add", arguments: { a: 1 } }], { tools }).trim();
const quoted = (text: string) => text.replace(/^/gm, "> ");

/** The text of a reply, and the number of its calls, the same in any chunks. */
function read(reply: string, protocol: ProtocolName | "auto") {
  const results = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    const text = events.flatMap((event) => (event.type === "text" ? event.text : [])).join("");
    return { text, calls: events.filter(({ type }) => type === "call-end" || type === "call-invalid").length };
  });
  expect(results[1]).toEqual(results[0]);
  return results[0];
}

describe.each(names)("a block quote of a call in %s", (protocol) => {
  const quote = quoted(written(protocol));

  test.each([
    ["between words", `The page says:\n\n${quote}\n\nI did not follow it.`],
    ["after words", `The page says:\n${quote}`],
    ["alone", quote],
    ["inside another one", quoted(quote)],
  ])("%s is text", (_, reply) => {
    for (const by of [protocol, "auto"] as const) expect(read(reply, by)).toEqual({ text: reply, calls: 0 });
  });

  test.each(["- ", "* ", "1. ", "123) ", "  - ", "- - ", "- [ ] ", "- [x] "])(
    "in an item of a list after %o is text",
    (mark) => {
      // A call of several lines ends its quote with the first, unless it has a marker.
      const reply = `${mark}${quoted(written(protocol).replaceAll("\n", " "))}`;
      for (const by of [protocol, "auto"] as const) expect(read(reply, by)).toEqual({ text: reply, calls: 0 });
    },
  );

  test("quotes no call on a line after it", () => {
    const reply = `> See the sum.\n\n${written(protocol)}`;
    // This format asks for a reply that is one object.
    const wanted = protocol === "json-action" ? expect.any(String) : "> See the sum.";
    expect(read(reply, protocol)).toEqual({ text: wanted, calls: 1 });
  });
});

const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';

describe("a block quote", () => {
  test("ends before a token directly after its words, but not after its mark or a space", () => {
    expect(pieces(`> Warm.${call}`, "hermes")).toEqual([
      ["text", "> Warm."],
      ["call", "get_weather"],
    ]);
    for (const reply of [`>${call}`, `> ${call}`, `> Run ${call}`])
      expect(pieces(reply, "hermes")).toEqual([["text", reply]]);
  });

  test("ends before the next message", () => {
    const next = '<|start|>assistant<|channel|>commentary to=functions.get_weather<|message|>{"city": "Oslo"}<|call|>';
    const reply = `<|channel|>commentary<|message|>He says:\n> Warm.<|end|>${next}`;
    expect(pieces(reply, "harmony").filter(([kind]) => kind !== "dropped")).toEqual([
      ["text", "He says:\n> Warm."],
      ["call", "get_weather"],
    ]);
  });

  test("contains no labels, also after reasoning", () => {
    const reply = '> Action: get_weather\n> Action Input: {"city": "Oslo"}\n> Observation: warm';
    expect(pieces(reply, "react")).toEqual([["text", reply]]);
    expect(pieces(`Thought: It says:\n${reply}`, "react")).toEqual([["reasoning", `It says:\n${reply}`]]);
  });

  test("is no marker that begins with its mark", () =>
    expect(pieces('>>>get_weather\n{"city": "Oslo"}', "functionary")).toEqual([["call", "get_weather"]]));

  test("is no line after a marker that begins with its mark and ends with its line", () => {
    const read = (reply: string) => pieces(reply, "functionary").filter(([kind]) => kind !== "dropped");
    const written = '>>>get_weather\n{"city": "Oslo"}';
    expect(read(`>>>all\nI look.${written}`)).toEqual([
      ["text", "I look."],
      ["call", "get_weather"],
    ]);
    expect(read(`>>>all\n> ${written}`)).toEqual([["text", `> ${written}`]]);
  });

  test("is a session of Python that begins with three of its marks", () => {
    for (const session of [">>> d\n{'a': 1}", "So:\n\n>>> d = {'a': 1}\n>>> d\n{'a': 1}\n>>> s in {1}\nTrue"])
      for (const protocol of ["hermes", "llama3-json", "pythonic", "xml", "auto"] as const)
        expect(pieces(session, protocol)).toEqual([["text", session]]);
  });

  test("may end with the end of the turn", () =>
    expect(pieces("> Warm.<|im_end|>", "hermes")).toEqual([
      ["text", "> Warm."],
      ["dropped", "<|im_end|>"],
    ]));

  test("begins a line: a bracket after a call or words is text", () => {
    expect(pieces(`5 > 4 ${call}`, "hermes").at(-1)).toEqual(["call", "get_weather"]);
    expect(pieces(`${call}\n> Warm.\n${call}`, "hermes").map(([kind]) => kind)).toEqual(["call", "text", "call"]);
    expect(pieces(`${call}>${call}`, "hermes").map(([kind]) => kind)).toEqual(["call", "text", "call"]);
    expect(pieces(`${call}\n>${call}`, "hermes").map(([kind]) => kind)).toEqual(["call", "text"]);
    expect(pieces(`${call} > ${call}`, "hermes").map(([kind]) => kind)).toEqual(["call", "text", "call"]);
  });

  test("goes on up to an empty line where it quotes a marker", () => {
    const reply = '> <tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
    expect(pieces(reply, "hermes")).toEqual([["text", reply]]);
    expect(pieces(`> <tool_call>\n\n${call}`, "hermes").at(-1)).toEqual(["call", "get_weather"]);
  });

  test("is not ended by a marker after its mark or punctuation that opens something", () => {
    for (const before of [">", "> ", ">>", '> "', "> (", "> -"])
      expect(pieces(`${before}${call}`, "hermes")).toEqual([["text", `${before}${call}`]]);
  });
});

describe("a comment", () => {
  const city = (name: string) => `{"name": "get_weather", "parameters": {"city": "${name}"}}`;
  const python = (name: string) => `[get_weather(city="${name}")]`;

  test.each([
    ["llama3-json", `// ${city("Oslo")}`],
    ["llama3-json", `# ${city("Oslo")}`],
    ["llama3-json", `#${city("Oslo")}`],
    ["llama3-json", `For example:\n  // ${city("Oslo")}`],
    ["llama3-json", `For example: // ${city("Oslo")}`],
    ["llama3-json", `${city("Oslo")} // ${city("Rome")}`],
    ["llama3-json", `${city("Oslo")}// ${city("Rome")}`],
    ["json-list", `[${city("Oslo")}] # [${city("Rome")}]`],
    ["pythonic", `# ${python("Oslo")}`],
    ["pythonic", `# Then: ${python("Oslo")}`],
    ["pythonic", `${python("Oslo")} # ${python("Rome")}`],
    ["pythonic", `#get_weather(city="Oslo")`],
    ["auto", `Not this one:\n# ${python("Oslo")}`],
  ] as const)("contains no call without a marker in %s: %s", (protocol, reply) =>
    expect(pieces(reply, protocol)).toEqual([["text", reply]]),
  );

  test.each(["//", "#", ">", "- >"])("%s after the line of a call is text, with the call in it", (mark) => {
    const comment = `${mark} ${city("Rome")}`;
    expect(pieces(`${city("Oslo")}\n${comment}`, "llama3-json")).toEqual([
      ["call", "get_weather"],
      ["text", comment],
    ]);
  });

  test.each([
    ["llama3-json", `https://example.org ${city("Oslo")}`],
    ["llama3-json", `C# ${city("Oslo")}`],
    ["llama3-json", `Done //\n${city("Oslo")}`],
    ["pythonic", `## Call\n${python("Oslo")}`],
    ["pythonic", `# Then\n${python("Oslo")}`],
    ["llama3-json", `- ${city("Oslo")}`],
    ["llama3-json", `#1: ${city("Oslo")}`],
    ["hermes", `// ${call}`],
  ] as const)("is nothing else in %s: %s", (protocol, reply) =>
    expect(pieces(reply, protocol).at(-1)).toEqual(["call", "get_weather"]),
  );

  test("contains no call after reasoning", () => {
    for (const comment of [`# ${python("Oslo")}`, `// ${city("Oslo")}`])
      expect(pieces(`<think>Not so.</think>${comment}`, "pythonic").map(([kind]) => kind)).toEqual([
        "reasoning",
        "text",
      ]);
  });

  test("in a list is skipped, and a call in it is never made", () => {
    expect(pieces(`[${city("Oslo")}, // the second\n${city("Rome")}]`, "json-list")).toHaveLength(2);
    for (const list of [`[${city("Oslo")}, // ${city("Rome")}\n]`, `[// ${city("Rome")}\n${city("Oslo")}]`])
      expect(pieces(list, "json-list").filter(([kind]) => kind === "call").length).toBeLessThan(2);
  });
});
