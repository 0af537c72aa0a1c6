import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { argumentsOf, hermes, read, tools } from "../../../test/support/read.js";
import { collectReply, createReplyParser, type ProtocolName, parseReply, type ReplyEvent } from "../../index.js";

const json = '{"name": "get_weather", "arguments": {"city": "Kyiv"}}';
const call = hermes(json);

describe("calls without a marker", () => {
  test("may come after an answer, if the reply ends with them", () => {
    expect(read(`I will look.\n${json}`)).toMatchObject({ text: "I will look.", toolCalls: [{ name: "get_weather" }] });
    expect(argumentsOf(`I will look.\n\n${json};\n${json}\n`)).toHaveLength(2);
    expect(argumentsOf(`${json}.\n`)).toHaveLength(1);
    expect(argumentsOf(`An example is ${json}.`, { protocol: "json-list" })).toHaveLength(0);
    for (const text of [
      `I will look.\n${json}\nThat is how.`,
      `It is like ${json}`,
      `So:\n{"name": "Ada", "age": 3}`,
    ]) {
      expect(read(text)).toMatchObject({ text, toolCalls: [] });
    }
  });

  test("may come before the fence of a result that the model made up", () => {
    for (const reply of [json, `I will look.\n${json}`]) {
      const { toolCalls, text } = read(`${reply}\n\`\`\`tool_output\nsun\n\`\`\`\nIt is sunny.`);
      expect(toolCalls).toMatchObject([{ arguments: { city: "Kyiv" } }]);
      expect(text).not.toContain("sun");
    }
  });

  test("of the requested format may come anywhere, also in a code fence", () => {
    const pythonic = { protocol: "pythonic" as const };
    expect(read("Let me see: [get_weather(city='Oslo')]", pythonic)).toMatchObject({
      text: "Let me see:",
      toolCalls: [{ arguments: { city: "Oslo" } }],
    });
    expect(argumentsOf("Sure:\n```python\n[get_weather(city='Oslo')]\n```", pythonic)).toEqual([{ city: "Oslo" }]);
    expect(argumentsOf(`Sure:\n\`\`\`json\n[${json}]\n\`\`\``, { protocol: "json-list" })).toEqual([{ city: "Kyiv" }]);
    const fenced = `Sure:\n\`\`\`json\n${json}\n\`\`\``;
    expect(read(fenced)).toMatchObject({ text: fenced, toolCalls: [] });
  });

  test("may be in a tag that the model made up", () => {
    expect(argumentsOf(`<xml>\n${json}\n</xml>`)).toEqual([{ city: "Kyiv" }]);
    expect(argumentsOf(`<JSON>${json}`)).toEqual([{ city: "Kyiv" }]);
    for (const text of [`<xml>\n${json}\n</other>`, `<xml>${json}</xml> is it.`]) {
      expect(read(text)).toMatchObject({ text, toolCalls: [] });
    }
  });

  test("may be one encoded as a string, if it is the whole reply", () => {
    for (const encoded of [JSON.stringify(json), JSON.stringify(JSON.stringify(JSON.parse(json), null, 2))])
      for (const protocol of ["hermes", "llama3-json"] as const) {
        expect(argumentsOf(encoded, { protocol })).toEqual([{ city: "Kyiv" }]);
        for (const text of [`${encoded}\nThat is one.`, `Like so:\n${encoded}`, `It is ${encoded}`, `[1, ${encoded}]`])
          expect(read(text, { protocol })).toMatchObject({ text, toolCalls: [] });
      }
  });

  test("may be a list in an object, after values that are empty", () => {
    for (const before of ['"content": null', '"content": ""', '"response": null , "refusal": null'])
      expect(argumentsOf(`{${before}, "tool_calls": [${json}]}`)).toEqual([{ city: "Kyiv" }]);
    for (const text of [
      `{"content": "So", "tool_calls": [${json}]}`,
      `{"content": null, "examples": [${json}]}`,
      `{"content": null, "name": "get_weather", "arguments": {"city": "Kyiv"}}`,
      `{"content": null, "tool_calls": [${json}]} is a message.`,
    ])
      expect(read(text)).toMatchObject({ text, toolCalls: [] });
  });

  test("need arguments if no tools are known", () => {
    const options = { tools: undefined, protocol: "llama3-json" as const };
    expect(read('{"name": "now"}', options)).toMatchObject({ text: '{"name": "now"}', toolCalls: [] });
    expect(argumentsOf('{"name": "now", "parameters": {}}', options)).toEqual([{}]);
  });

  test("that turn out to be text are emitted at once, in order", () => {
    const parser = createReplyParser({ tools, protocol: "hermes" });
    expect(parser.push(json)).toEqual([]);
    expect(parser.push(" is a call, no?")).toEqual([{ type: "text", text: `${json} is a call, no?` }]);
    expect(parser.push(" Really.")).toEqual([{ type: "text", text: " Really." }]);
  });

  test("are searched for again after text that was not a call", () => {
    expect(read(`{"name": "later"} is one, I think.\n${json}`)).toMatchObject({
      text: '{"name": "later"} is one, I think.',
      toolCalls: [{ name: "get_weather" }],
    });
  });

  test.each(['{"name": "now", ', "[now(", '\n{"name": "now"}\n', "{ ", "[a "])(
    "256 KB of %j are read in one pass",
    (piece) => {
      const text = piece.repeat(Math.ceil(2 ** 18 / piece.length));
      for (const protocol of ["hermes", "pythonic", "json-list"] as const) {
        const { text: kept, toolCalls, invalidToolCalls } = read(text, { protocol });
        expect(kept.length + toolCalls.length + invalidToolCalls.length).toBeGreaterThan(0);
      }
    },
  );
});

describe("an unclosed quote quotes nothing", () => {
  test("a call in an unclosed code fence", () => {
    expect(read(`I will look.\n\`\`\`xml\n${call}`)).toMatchObject({ toolCalls: [{ name: "get_weather" }] });
    const text = `Write this:\n\`\`\`\n${call}\n\`\`\``;
    expect(read(text)).toMatchObject({ text, toolCalls: [] });
  });

  test("a call in unclosed reasoning", () => {
    expect(read(`<think>I will look.\n${call}`)).toMatchObject({
      reasoning: "I will look.\n",
      text: "",
      toolCalls: [{ name: "get_weather" }],
    });
    expect(read(call, { prefill: "<think>\n" }).toolCalls).toHaveLength(1);
    for (const text of [`${call} or not?`, `${call}</think>`, "<tool_call>{not json</tool_call>", call.slice(0, 30)]) {
      expect(read(`<think>${text}`)).toMatchObject({ toolCalls: [], invalidToolCalls: [] });
      expect(read(`<think>${text}`).reasoning).toBe(text.replace("</think>", ""));
    }
  });

  test("reasoning continues to stream after a candidate call", () => {
    const parser = createReplyParser({ tools, protocol: "hermes" });
    const reasoning = (events: ReplyEvent[]) =>
      events.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
    expect(reasoning(parser.push(`<think>Perhaps ${call}`))).toBe("Perhaps ");
    expect(reasoning(parser.push(" but no."))).toBe(`${call} but no.`);
  });
});

describe("a broken call of the requested format without a marker", () => {
  test.each<[ProtocolName, string]>([
    ["llama3-json", '{"name": "get_weather", "parameters": {"city": }}'],
    ["llama3-json", '{"name": "get_weather", "parameters": {"city" ~ "Oslo"}}\n'],
    ["json-list", '[{"name": "get_weather", "arguments": {"city": , "days": 1}}]'],
    ["pythonic", "[get_weather(city=)]"],
  ])("is a call that does not run, with the reason: %s, %s", (protocol, text) => {
    for (const more of ["", "\n\nThat is it."]) {
      const result = read(text + more, { protocol });
      expect(result).toMatchObject({ toolCalls: [], text: more.trim() });
      expect(result.invalidToolCalls).toMatchObject([{ name: "get_weather", error: { code: "malformed" } }]);
      const parser = createReplyParser({ tools, protocol });
      const events = [...[...(text + more)].flatMap((char) => parser.push(char)), ...parser.end()];
      expect(events.filter(({ type }) => type === "call-invalid")).toHaveLength(1);
    }
  });

  test.each<[ProtocolName, string]>([
    ["llama3-json", '{"name": "f", "parameters": {"city": }}'],
    ["llama3-json", '{"name": "get_weather", "parameters": {"city": …}} is the form of a call.'],
    ["llama3-json", 'Write {"name": "get_weather", "parameters": {"city": }}'],
    ["hermes", '{"name": "get_weather", "arguments": {"city": }}'],
    ["pythonic", "get_weather(city=, days?) gives the weather (if it is known)"],
  ])("is text if another tool, words or another format show that none is meant: %s, %s", (protocol, text) =>
    expect(read(text, { protocol })).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] }),
  );
});

describe("several calls of the requested format with a broken one", () => {
  const eventsOf = (chunks: string[]) => {
    const parser = createReplyParser({ tools, protocol: "pythonic", generateId: () => "id" });
    return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
  };
  const good = "get_weather(city='Oslo')";

  test.each([
    `[${good}, get_weather(city=<b>)]`,
    `[${good},\n get_weather(city=<b>),\n ${good}]`,
    `${good}\nget_weather(city=<b>)\n${good}`,
  ])("are one call that does not run: %s", (text) => {
    const whole = eventsOf([`${text}\n\nThat is it.`]);
    expect(whole.map(({ type }) => type)).toEqual(["call-start", "call-invalid", "text"]);
    expect(whole[1]).toMatchObject({ call: { name: "get_weather", raw: text, error: { code: "malformed" } } });
    expect(eventsOf([...`${text}\n\nThat is it.`]).filter(({ type }) => type !== "text")).toEqual(whole.slice(0, 2));
  });

  test.each([
    "[get_weather(city=<b>)] is how to call it",
    `Write [${good}, get_weather(city=<b>)].`,
    `[${good}, f(<b>)] is how to call them`,
  ])("are text if nothing marks them as meant: %s", (text) =>
    expect(read(text, { protocol: "pythonic" })).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] }),
  );
});

describe("calls without a marker before a marked one", () => {
  const tools = [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];
  const cities = (text: string) =>
    parseReply(text, { tools, protocol: "hermes" }).toolCalls.map((call) => call.arguments.city);
  const call = (city: string) => JSON.stringify({ name: "get_weather", arguments: { city } });

  test("are calls too", () => {
    expect(cities(`${call("Rome")}\n<tool_call>${call("Oslo")}</tool_call> Done.`)).toEqual(["Rome", "Oslo"]);
    expect(cities(`${call("Rome")} <tool_call>${call("Oslo")}`)).toEqual(["Rome", "Oslo"]);
  });

  test("are text before other content", () => {
    expect(cities(`${call("Rome")} is how <tool_call> is written`)).toEqual([]);
  });
});

describe("a call without a marker that is cut off", () => {
  const message = '{"role": "assistant", "content": null, "tool_calls": [{"type": "function", "function": ';
  const encoded = `${message}{"name": "get_weather", "arguments": "{\\"city\\": \\"Ky`;

  test.each([json.slice(0, -5), `[${json}, ${json.slice(0, -5)}`, "get_weather(city='Ky", encoded])(
    "is truncated at the beginning of the reply: %s",
    (reply) => {
      for (const protocol of ["auto", "hermes", "llama3-json"] as const)
        expect(pieces(reply, protocol).at(-1)).toEqual(["invalid", "truncated"]);
    },
  );

  test.each([
    '{"name": "get_weather", "descr',
    '{"name": "get_weather"',
    '{"get_weather": {"city": "Ky',
    '{"name": "Ada", "arguments": {"city": "Ky',
    `So: ${json.slice(0, -5)}`,
    `So:\n${json.slice(0, -5)}`,
  ])("is text in another format if it may be data: %s", (reply) => {
    for (const protocol of ["auto", "hermes"] as const) expect(pieces(reply, protocol)).toEqual([["text", reply]]);
  });
});

describe("texts beside the calls of a message's content", () => {
  const use = '{"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Kyiv"}}';
  const text = (words: string) => JSON.stringify({ type: "text", text: words });
  const kept = (reply: string, protocol: "auto" | "hermes" | "llama3-json") =>
    pieces(reply, protocol).filter(([kind]) => kind !== "dropped");

  test("are text of the answer, in order", () => {
    for (const protocol of ["auto", "hermes", "llama3-json"] as const) {
      expect(kept(`[${text("I look.")}, ${use}]`, protocol)).toEqual([
        ["text", "I look."],
        ["call", "get_weather"],
      ]);
      expect(kept(`[${use}, ${text('So "warm".')}, ${text("Again?")}, ${use}]`, protocol)).toEqual([
        ["call", "get_weather"],
        ["text", 'So "warm".\nAgain?'],
        ["call", "get_weather"],
      ]);
      expect(parseReply(`Sure.\n[${text("I look.")}, ${use}]`, { protocol, tools })).toMatchObject({
        text: "Sure.\nI look.",
        toolCalls: [{ name: "get_weather", arguments: { city: "Kyiv" } }],
      });
    }
  });

  test("are JSON without a call, before other text, with other keys and for an unknown tool", () => {
    for (const reply of [
      `[${text("I look.")}]`,
      text("I look."),
      `[${text("I look.")}, ${use}] is what Claude writes.`,
      `[{"type": "text", "text": "I look.", "id": 1}, ${use}]`,
      `[{"type": "text", "text": 5}, ${use}]`,
      `[${text("I look.")}, ${use.replace("get_weather", "get_tides")}]`,
    ])
      for (const protocol of ["auto", "hermes"] as const) expect(pieces(reply, protocol)).toEqual([["text", reply]]);
  });

  test("are no calls between the markers of a call", () =>
    expect(pieces(`<tool_call>${text("I look.")}</tool_call>`, "hermes")).toEqual([["invalid", "malformed"]]));

  test("are whole in a list that is cut off after them", () =>
    expect(kept(`[${text("I look.")}, ${use.slice(0, -5)}`, "auto")).toEqual([
      ["text", "I look."],
      ["invalid", "truncated"],
    ]));
});

describe("a call at the beginning of a reply without its markers", () => {
  const forms = [
    ["gemma4", "call:get_weather{city:Kyiv}"],
    ["gemma4", 'call:get_weather{city:<|"|>Kyiv<|"|>}'],
    ["functiongemma", "call:get_weather{city:Kyiv}"],
    ["mistral", 'get_weather[ARGS]{"city": "Kyiv"}'],
    ["xml", "<name>get_weather</name>\n<arguments>\n<city>Kyiv</city>\n</arguments>"],
    ["xml", `<name>get_weather</name>\n<arguments>{"city": "Kyiv"}</arguments>`],
  ] as const;
  // As the whole reply, JSON is a call in every protocol.
  const bare = [["mistral", 'get_weather{"city": "Kyiv"}']] as const;

  test.each([...forms, ...bare])(
    "is a call in %s, alone, twice, or with an answer on a later line: %s",
    (protocol, call) => {
      for (const size of [1, 6, 1000]) {
        for (const [reply, count] of [
          [call, 1],
          [`${call}\n${call}`, 2],
          [`${call}\n\nI look.`, 1],
        ] as const) {
          const { toolCalls, invalidToolCalls } = readIn(reply, protocol, size);
          expect({ reply, toolCalls, invalidToolCalls }).toMatchObject({
            toolCalls: Array(count).fill({ name: "get_weather", arguments: { city: "Kyiv" } }),
            invalidToolCalls: [],
          });
        }
      }
    },
  );

  test.each([...forms, ...bare])(
    "is text in %s after words, before words on its line, or of no tool: %s",
    (protocol, call) => {
      for (const size of [1, 6, 1000]) {
        for (const reply of [`So: ${call}`, `${call} is my call.`, call.replace("get_weather", "get_moon")])
          expect(readIn(reply, protocol, size)).toMatchObject({ text: reply, toolCalls: [], invalidToolCalls: [] });
      }
    },
  );

  test("is a call in internlm2 after the second of its markers", () => {
    const call = '<|plugin|>\n{"name": "get_weather", "parameters": {"city": "Kyiv"}}<|action_end|>';
    expect(readIn(call, "internlm2", 1)).toMatchObject({ text: "", toolCalls: [{ name: "get_weather" }] });
  });

  test.each(forms)("is the only one in %s before a result that the model made up: %s", (protocol, call) => {
    for (const size of [1, 6, 1000]) {
      for (const space of ["", "\n"]) {
        const reply = `${call}${space}<tool_response>${json.replace("Kyiv", "Rome")}</tool_response>\nDone.`;
        expect(readIn(reply, protocol, size).toolCalls).toMatchObject([{ arguments: { city: "Kyiv" } }]);
      }
    }
  });

  test.each(forms)(
    "is text in %s in an item of a list, in a fence before words, or one of two: %s",
    (protocol, call) => {
      for (const size of [1, 6, 1000]) {
        const fenced = `\`\`\`\n${call}\n\`\`\`\nThis is an example.`;
        for (const reply of [`- ${call}`, `- ${call}\nDone.`, fenced, `${call} // or ${call}`, `${call}\nor\n${call}`])
          expect({ reply, calls: readIn(reply, protocol, size).toolCalls }).toEqual({ reply, calls: [] });
      }
    },
  );

  test("goes on with a call of a tool that is named like the word before an alternative", () => {
    const tools = [{ name: "or" }, { name: "get_weather", parameters: {} }];
    for (const [protocol, reply] of [
      ["glm4", "or\n{}\nor\n{}"],
      ["glm4", 'get_weather\n{"city": "Kyiv"}\nor\n{}'],
      ["pythonic", "get_weather(city='Kyiv')\nor()"],
    ] as const)
      expect(parseReply(reply, { protocol, tools })).toMatchObject({ text: "", toolCalls: [{}, { name: "or" }] });
  });

  test("is the same in any pieces before a sentence that begins like one", () => {
    for (const list of ['[get_weather(city="Kyiv")]', '[{"name": "get_weather", "arguments": {"city": "Kyiv"}}]'])
      for (const protocol of ["pythonic", "lfm2", "json-list"] as const)
        for (const reply of [`${list}Get_weather (Kyiv)`, `${list}Get_weather [1] says so.`, `${list}\nGet_weather[1]`])
          expect(readIn(reply, protocol, 1).toolCalls.length).toBe(readIn(reply, protocol, 1000).toolCalls.length);
  });

  test.each(["gemma4", "functiongemma", "mistral", "xml", "lfm2", "hermes"] as const)(
    "does not make JSON one of %s",
    (protocol) => {
      for (const size of [1, 6, 1000]) {
        expect(readIn(json, protocol, size).toolCalls).toHaveLength(1);
        for (const reply of [`${json}\n\nHere is an example.`, '{"name": "get_weather"'])
          expect(readIn(reply, protocol, size)).toMatchObject({ text: reply, toolCalls: [], invalidToolCalls: [] });
      }
    },
  );

  test.each(forms)("is text in another format than %s: %s", (_, call) => {
    expect(readIn(call, "hermes", 1000)).toMatchObject({ text: call, toolCalls: [] });
  });
});

/** A reply read in pieces of a size. */
function readIn(text: string, protocol: ProtocolName, size: number) {
  const parser = createReplyParser({ tools, protocol });
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
  return collectReply([...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]);
}

describe("a list of calls whose tokens a server dropped", () => {
  const weather = { name: "get_weather", arguments: { city: "Kyiv" } };
  const lists = {
    lfm2: '[get_weather(city="Kyiv")]',
    pythonic: '[get_weather(city="Kyiv")]',
    "json-list": '[{"name": "get_weather", "arguments": {"city": "Kyiv"}}]',
  } as const;
  const formats = Object.entries(lists) as [keyof typeof lists, string][];
  test.each(formats)("in %s is calls with an answer on a later line, or directly after it", (protocol, list) => {
    for (const size of [1, 5, 1000]) {
      for (const answer of ["\nI look.", "\n\nI look.", "I look.", "我看看。"]) {
        const { toolCalls, invalidToolCalls, text } = readIn(list + answer, protocol, size);
        expect({ toolCalls, invalidToolCalls, text }).toMatchObject({ toolCalls: [weather], invalidToolCalls: [] });
        expect(text.trim()).toBe(answer.trim());
      }
    }
  });

  test.each(formats)("in %s ends before a fence that nothing opened, unless that opens code", (protocol, list) => {
    for (const size of [1, 5, 1000]) {
      for (const code of [
        "```js\ncode\n```",
        "```js \r\ncode\r\n```",
        "~~~python\nprint(1)\n~~~\nDone.",
        "```c++\na\n```\n\n```\nb\n```",
      ])
        expect(readIn(`${list}\n${code}`, protocol, size)).toMatchObject({ toolCalls: [weather], text: code });
      for (const end of ["\n```", "\n```\n\n"])
        expect(readIn(list + end, protocol, size)).toMatchObject({ toolCalls: [weather], text: "" });
      expect(readIn(`${list}\nDone.\n\`\`\``, protocol, size).text).toBe("Done.\n```");
      const marked = `${list}\n\`\`\`xml\n${hermes(json.replace("Kyiv", "Oslo"))}\n\`\`\``;
      expect(readIn(marked, protocol, size).toolCalls).toHaveLength(2);
    }
  });

  test.each(formats)("in %s is text with an alternative after it", (protocol, list) => {
    for (const size of [1, 5, 1000]) {
      for (const or of [" or ", "\nor\n", "\nOr:\n", "\n# or\n", " // or "])
        expect(readIn(list + or + list.replace("Kyiv", "Oslo"), protocol, size)).toMatchObject({
          toolCalls: [],
          invalidToolCalls: [],
        });
    }
  });

  test.each(formats)("in %s is text with anything else after it, or a sentence before it", (protocol, list) => {
    for (const size of [1, 5, 1000]) {
      for (const reply of [`${list} is my call.`, `${list}.name`, `${list}, then`, `So: ${list} I look.`])
        expect(readIn(reply, protocol, size)).toMatchObject({ text: reply, toolCalls: [], invalidToolCalls: [] });
    }
  });
});
