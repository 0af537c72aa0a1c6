import { describe, expect, test } from "vitest";
import { argumentsOf, hermes, read, tools } from "../../test/support/read.js";
import { createReplyParser, OptionsError, type parseReply, type ReplyEvent } from "../index.js";

describe("events", () => {
  test("are emitted in the order of the reply, with the arguments as they arrive", () => {
    const parser = createReplyParser({ tools, protocol: "hermes", generateId: () => "call_1" });
    const events: ReplyEvent[] = [];
    for (const chunk of [
      "<think>Hm.</think>",
      "Let me look.\n",
      '<tool_call>\n{"name": "get_w',
      'eather", "arguments": {"city": "Par',
      'is", "days": 1',
      "2}}\n</tool_call>",
    ]) {
      events.push(...parser.push(chunk));
    }
    events.push(...parser.end({ finish: "stop" }));
    expect(events).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Let me look." },
      { type: "call-start", index: 0, id: "call_1", name: "get_weather" },
      { type: "call-delta", index: 0, argumentsDelta: '{"city":"Par' },
      { type: "call-delta", index: 0, argumentsDelta: 'is"' },
      { type: "call-delta", index: 0, argumentsDelta: ',"days":12}' },
      {
        type: "call-end",
        index: 0,
        call: { id: "call_1", name: "get_weather", arguments: { city: "Paris", days: 12 } },
      },
    ]);
  });

  test("start a call once its name is known, and replay arguments that came first", () => {
    const parser = createReplyParser({ tools, protocol: "hermes" });
    expect(parser.push('<tool_call>{"arguments": {"city": "Oslo", "days": "3"}, ')).toEqual([]);
    const events = [...parser.push('"name": "get_weather"}</tool_call>'), ...parser.end()];
    expect(events.map(({ type }) => type)).toEqual(["call-start", "call-delta", "call-end"]);
    expect(events[1]).toMatchObject({ argumentsDelta: '{"city":"Oslo","days":3}' });
  });

  test("are empty for an empty reply", () => {
    expect(read("")).toEqual({ text: "", reasoning: "", toolCalls: [], invalidToolCalls: [] });
    expect(createReplyParser().end()).toEqual([]);
  });

  test("are empty for a second end, and a piece after the end is refused", () => {
    const parser = createReplyParser({ tools });
    parser.end();
    expect(parser.end()).toEqual([]);
    expect(() => parser.push("more")).toThrow(OptionsError);
  });

  test.each([undefined, null, {}, 5])("of a piece that is not a string do not exist: %j is refused", (piece) => {
    for (const protocol of ["hermes", "json-action"] as const) {
      const parser = createReplyParser({ tools, protocol });
      expect(() => parser.push(piece as never)).toThrow(/A piece of a reply is a string, not/);
    }
  });

  test("have the generator's ids, one per call", () => {
    let next = 0;
    const { toolCalls } = read(hermes('{"name": "now"}') + hermes('{"name": "now"}'), {
      generateId: () => `id${next++}`,
    });
    expect(toolCalls.map(({ id }) => id)).toEqual(["id0", "id1"]);
  });
});

describe("the reading of calls", () => {
  test("gives a call without arguments, or with null, an empty object", () => {
    for (const json of ['{"name": "now"}', '{"name": "now", "arguments": {}}', '{"name": "now", "arguments": null}']) {
      expect(argumentsOf(hermes(json))).toEqual([{}]);
    }
  });

  test("reads several calls, and keeps the text between them", () => {
    const reply = read(`First.\n${hermes('{"name": "now"}')}\nThen.\n${hermes('{"name": "now"}')}`);
    expect(reply.toolCalls).toHaveLength(2);
    expect(reply.text).toBe("First.\nThen.");
  });

  test("separates words around a call by the space before it, or by that after it", () => {
    const call = hermes('{"name": "now"}');
    for (const reply of [`Wait.\n${call}  Done.`, `Wait.${call}\nDone.`, `Wait.${call} ${call}\nDone.`])
      expect(read(reply).text.split(/\s+/)).toEqual(["Wait.", "Done."]);
    expect(read(`${call} Done.`).text).toBe("Done.");
  });

  test("reads a list, or several objects, between one pair of tags", () => {
    expect(argumentsOf(hermes('[{"name": "now"}, {"name": "get_weather", "arguments": {"city": "Rome"}}]'))).toEqual([
      {},
      { city: "Rome" },
    ]);
    expect(argumentsOf(hermes('{"name": "now"}\n{"name": "now"}'))).toEqual([{}, {}]);
  });

  test("reads everything as text if there are no tools", () => {
    const text = hermes('{"name": "now"}');
    expect(read(`<think>Hm.</think>${text}`, { tools: [] })).toEqual({
      text,
      reasoning: "Hm.",
      toolCalls: [],
      invalidToolCalls: [],
    });
  });

  test("accepts every name and all arguments if tools are unknown", () => {
    expect(argumentsOf(hermes('{"name": "any", "arguments": {"x": [1, "a"]}}'), { tools: undefined })).toEqual([
      { x: [1, "a"] },
    ]);
  });

  test("keeps markers inside a string", () => {
    const content = "a </tool_call> b <tool_call> c";
    expect(argumentsOf(hermes(JSON.stringify({ name: "write_file", arguments: { content } })))).toEqual([{ content }]);
  });

  test("reads a call that is quoted in an explanation as text", () => {
    for (const text of [
      `Write it like this:\n\`\`\`\n${hermes('{"name": "now"}')}\n\`\`\`\nand it runs.`,
      'The tag is `<tool_call>{"name": "now"}</tool_call>` there.',
    ]) {
      expect(read(text)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
    }
  });

  test("reads a call in a code fence that is the whole reply", () => {
    const reply = read(`\`\`\`xml\n${hermes('{"name": "now"}')}\n\`\`\``);
    expect(reply.toolCalls).toHaveLength(1);
    expect(reply.text).toBe("");
  });

  test("reads a call in the reasoning as reasoning", () => {
    const reply = read(`<think>${hermes('{"name": "now"}')}</think>Done.`);
    expect(reply).toMatchObject({ text: "Done.", toolCalls: [] });
    expect(reply.reasoning).toContain("<tool_call>");
  });

  test("begins the reply with the prefill", () => {
    expect(read("Hm.</think>Yes.", { prefill: "<think>\n" })).toMatchObject({ reasoning: "Hm.", text: "Yes." });
    const prefill = '<tool_call>\n{"name": "get_weather", "arguments": ';
    expect(argumentsOf('{"city": "Bonn"}}\n</tool_call>', { prefill })).toEqual([{ city: "Bonn" }]);
  });

  test("drops results that the model makes up", () => {
    const reply = `${hermes('{"name": "now"}')}\n<tool_response>\n12:00\n</tool_response>\nIt is noon.`;
    expect(read(reply)).toMatchObject({ text: "It is noon.", toolCalls: [{ name: "now" }] });
  });

  test("reads bare JSON as a call if it is the whole reply and names a tool", () => {
    const json = '{"name": "get_weather", "arguments": {"city": "Kyiv"}}';
    expect(argumentsOf(json)).toEqual([{ city: "Kyiv" }]);
    expect(argumentsOf(`\`\`\`json\n${json}\n\`\`\``)).toEqual([{ city: "Kyiv" }]);
    expect(argumentsOf(`<think>Hm.</think>\n${json}`)).toEqual([{ city: "Kyiv" }]);
    expect(argumentsOf(`[${json}, ${json}]`)).toHaveLength(2);
    for (const text of [`${json} is what I would write.`, '{"name": "Ada", "age": 36}', '{"city": "Kyiv"}']) {
      expect(read(text)).toMatchObject({ text, toolCalls: [] });
    }
    expect(read(json, { accept: "own" })).toMatchObject({ text: json, toolCalls: [] });
  });

  test("keeps the text of an invalid bare call", () => {
    const bad = '{"name": "get_weather", "arguments": {"days": "many"}}';
    const { invalidToolCalls } = read(`[{"name": "now", "arguments": {}}, ${bad}]`);
    expect(invalidToolCalls.map(({ raw }) => raw)).toEqual([expect.stringContaining(bad)]);
    expect(invalidToolCalls[0]?.raw).not.toContain('"now"');
  });

  test("reads another registered format, unless only the requested one is accepted", () => {
    const text = '[TOOL_CALLS]get_weather[ARGS]{"city": "Lima"}';
    expect(argumentsOf(text)).toEqual([{ city: "Lima" }]);
    expect(read(text, { accept: "own" })).toMatchObject({ text, toolCalls: [] });
    expect(argumentsOf(text, { protocol: "auto" })).toEqual([{ city: "Lima" }]);
  });
});

describe("further turns that the model makes up", () => {
  const call = hermes('{"name": "now", "arguments": {}}');

  test.each([
    ["a call", `${call}<|im_end|>\n<|im_start|>user\nIt is ten.<|im_end|>\n<|im_start|>assistant\n${call}`, ""],
    ["an answer", "It is ten.<|im_end|>\n<|im_start|>user\nThanks!", "It is ten."],
    ["an answer, in another template", "It is ten.<end_of_turn>\n<start_of_turn>user\nThanks!", "It is ten."],
  ])("are dropped after %s", (_, reply, text) => {
    const { toolCalls, invalidToolCalls, text: answer } = read(reply);
    expect(answer).toBe(text);
    expect(toolCalls).toHaveLength(text === "" ? 1 : 0);
    expect(invalidToolCalls).toEqual([]);
  });

  test("begin with a header that is not text", () => {
    expect(read("<|im_start|>assistant\nIt is ten.").text).toBe("It is ten.");
    expect(read(`<|im_start|>\n${call.split("\n")[1]}\n<|im_start|>\nThere.`)).toMatchObject({
      text: "There.",
      toolCalls: [{ name: "now" }],
      invalidToolCalls: [],
    });
  });
});

describe("broken calls", () => {
  const only = (text: string, options: Parameters<typeof parseReply>[1] = {}) => {
    const { toolCalls, invalidToolCalls } = read(text, options);
    expect(toolCalls).toEqual([]);
    expect(invalidToolCalls).toHaveLength(1);
    return invalidToolCalls[0]!;
  };

  test("an unknown tool is reported with its arguments", () => {
    const call = only(hermes('{"name": "get_wether", "arguments": {"city": "Oslo"}}'));
    expect(call).toMatchObject({ name: "get_wether", arguments: { city: "Oslo" }, error: { code: "unknown-tool" } });
    expect(call.error.feedback).toContain("get_weather");
  });

  test("arguments that do not match the schema are reported with the correct form", () => {
    const call = only(hermes('{"name": "get_weather", "arguments": {"days": "many"}}'));
    expect(call).toMatchObject({
      name: "get_weather",
      arguments: { days: "many" },
      error: { code: "invalid-arguments" },
    });
    expect(call.error.feedback).toContain("city");
    expect(call.error.feedback).toContain("many");
  });

  test.each([
    ["in the name", '<tool_call>\n{"name": "get_wea'],
    ["in a string", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par'],
    ["in a number", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 1'],
    ["after the opener", "<tool_call>"],
    ["in a key", '<tool_call>\n{"name": "get_weather", "argum'],
    ["in an element", '<am:tool_call name="get_weather"><city>Par'],
  ])("a reply truncated %s has no call", (_, text) => {
    for (const finish of ["stop", "length"] as const) {
      expect(only(text, { finish }).error.code).toBe("truncated");
    }
  });

  test("a call that lacks only closing markers is complete, unless the reply reached the token limit", () => {
    const text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}';
    expect(argumentsOf(text)).toEqual([{ city: "Rome" }]);
    expect(only(text, { finish: "length" }).error.code).toBe("truncated");
    expect(argumentsOf(`${text}}`, { finish: "length" })).toEqual([{ city: "Rome" }]);
    expect(argumentsOf('<am:tool_call name="get_weather"><city>Rome</city>')).toEqual([{ city: "Rome" }]);
  });

  test("one bad call does not affect its neighbours, and the text after it is kept", () => {
    const reply = read(`${hermes("{not json at all")}\n${hermes('{"name": "now"}')}\nDone.`);
    expect(reply.invalidToolCalls.map(({ error }) => error.code)).toEqual(["malformed"]);
    expect(reply.toolCalls.map(({ name }) => name)).toEqual(["now"]);
    expect(reply.text).toBe("Done.");
  });

  test("no text of the model is lost", () => {
    const text = hermes("{not json at all");
    expect(only(text).raw).toBe(text);
  });

  test("nesting that is too deep is an error with the limit", () => {
    const call = only(`<tool_call>{"name": "get_weather", "arguments": {"x": ${"[".repeat(300)}`);
    expect(call.error.code).toBe("limit");
  });
});

describe("hostile replies", () => {
  test.each(["<", "{", "[", '"', "\\", "`", "&", "<tool_call>", '<tool_call>{"name":', "<am:tool_call ", "<think>"])(
    "1 MB of %s ends in an event, not in an error",
    (piece) => {
      const text = piece.repeat(Math.ceil(2 ** 20 / piece.length));
      const { text: kept, reasoning, toolCalls, invalidToolCalls } = read(text);
      expect(toolCalls).toEqual([]);
      expect(kept.length + reasoning.length + invalidToolCalls.length).toBeGreaterThan(0);
    },
  );

  test("1 MB of < is text", () => {
    const text = "<".repeat(2 ** 20);
    expect(read(text).text).toBe(text);
  });

  test("invalid UTF-16 is kept as it is", () => {
    expect(read("a \ud800 b").text).toBe("a \ud800 b");
    expect(argumentsOf(hermes('{"name": "write_file", "arguments": {"content": "x \udfff y"}}'))).toEqual([
      { content: "x \udfff y" },
    ]);
  });

  test("a surrogate pair in two chunks is emitted whole", () => {
    const parser = createReplyParser({ tools, protocol: "hermes" });
    const start = '<tool_call>{"name": "write_file", "arguments": {"content": "';
    const events = [...parser.push(`${start}\ud83d`), ...parser.push('\ude00"}}</tool_call>'), ...parser.end()];
    const deltas = events.flatMap((event) => (event.type === "call-delta" ? [event.argumentsDelta] : []));
    for (const delta of deltas) expect(delta.isWellFormed?.() ?? true).toBe(true);
    expect(deltas.join("")).toBe('{"content":"😀"}');
  });
});

describe("many, odd and partial calls", () => {
  test("thousands of calls between one pair of markers", () => {
    const json = JSON.stringify({ name: "get_weather", arguments: { city: "Rome" } });
    const list = `[${Array(4000).fill(json).join(",")}]`;
    expect(argumentsOf(list)).toHaveLength(4000);
    expect(argumentsOf(hermes(list))).toHaveLength(4000);
    expect(argumentsOf(hermes(Array(4000).fill(json).join("\n")))).toHaveLength(4000);
  });

  test("surplus closing markers are dropped after a call, and text before one", () => {
    const json = '{"name": "now"}';
    for (const text of [`<tool_call>[${json}]</tool_call>`, `${hermes(json)}</tool_call>`]) {
      expect(read(text)).toMatchObject({ text: "", toolCalls: [{ name: "now" }] });
    }
    expect(read("The tag </tool_call> closes it.").text).toBe("The tag </tool_call> closes it.");
  });

  test("data that looks like a call is text", () => {
    for (const text of ['{"name": "now", "age": 3}', '{"name": "get_weather", "population": 5}']) {
      expect(read(text)).toMatchObject({ text, toolCalls: [] });
    }
    expect(argumentsOf('{"name": "get_weather", "city": "Rome"}')).toEqual([{ city: "Rome" }]);
  });

  test("a lone backtick quotes nothing", () => {
    expect(read(`It costs 5\` today. ${hermes('{"name": "now"}')}`).toolCalls).toHaveLength(1);
  });

  test("arguments given as text respect the nesting limit", () => {
    const list = { name: "t", parameters: { type: "object", properties: { tags: { type: "array" } } } };
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const callOf = (tags: string) =>
      read(hermes(JSON.stringify({ name: "t", arguments: { tags } })), { tools: [list] });
    expect(callOf(nested(100)).toolCalls[0]?.arguments).toEqual({ tags: JSON.parse(nested(100)) });
    // Too deep to be read: it is no list.
    expect(callOf(nested(5000)).toolCalls).toEqual([]);
  });

  test("a schema that refers to itself endlessly is accepted", () => {
    const parameters = { anyOf: [{ $ref: "#" }, { type: "object" }] };
    const { toolCalls, invalidToolCalls } = read(hermes('{"name": "t", "arguments": {"a": 1}}'), {
      tools: [{ name: "t", parameters }],
    });
    expect([...toolCalls, ...invalidToolCalls].map((call) => call.arguments)).toEqual([{ a: 1 }]);
  });
});
