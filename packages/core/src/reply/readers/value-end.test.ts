import { describe, expect, it } from "vitest";
import { createReplyParser, parseReply } from "../../full/index.js";
import type { ProtocolName } from "../../protocols/index.js";
import type { ToolDefinition } from "../../types.js";

const text = { type: "string" } as const;
const tools: ToolDefinition[] = [
  {
    name: "save",
    parameters: {
      type: "object",
      properties: { path: text, content: text, count: { type: "integer" } },
      required: ["path"],
    },
  },
  { name: "ping", parameters: { type: "object", properties: {} } },
];

interface Shape {
  protocol: ProtocolName;
  begin: string;
  end: string;
  argument: (key: string, value: string) => string;
}

const shapes: Shape[] = [
  {
    protocol: "tool-tags",
    begin: "<save>\n",
    end: "</save>",
    argument: (key, value) => `<${key}>${value}</${key}>\n`,
  },
  {
    protocol: "am-xml",
    begin: '<am:tool_call name="save">',
    end: "</am:tool_call>",
    argument: (key, value) => `<${key}>${value}</${key}>`,
  },
  {
    protocol: "xml",
    begin: "<tool_call>\n<name>save</name>\n<arguments>",
    end: "</arguments>\n</tool_call>",
    argument: (key, value) => `<${key}>${value}</${key}>`,
  },
  {
    protocol: "qwen3-coder",
    begin: "<tool_call>\n<function=save>\n",
    end: "</function>\n</tool_call>",
    argument: (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`,
  },
  {
    protocol: "minimax-m2",
    begin: '<minimax:tool_call>\n<invoke name="save">\n',
    end: "</invoke>\n</minimax:tool_call>",
    argument: (key, value) => `<parameter name="${key}">${value}</parameter>\n`,
  },
  {
    protocol: "glm45",
    begin: "<tool_call>save\n",
    end: "</tool_call>",
    argument: (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`,
  },
];

describe.each(shapes)("the value of an argument in $protocol", ({ protocol, begin, end, argument }) => {
  const write = (parts: [string, string][]) => begin + parts.map(([k, v]) => argument(k, v)).join("") + end;
  const read = (reply: string) => {
    const whole = parseReply(reply, { tools, protocol });
    const parser = createReplyParser({ tools, protocol });
    const events = [...[...reply].flatMap((char) => parser.push(char)), ...parser.end()];
    const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []));
    expect(calls).toEqual(whole.toolCalls.map((call) => call.arguments));
    return { calls, text: whole.text, invalid: whole.invalidToolCalls };
  };

  const inside: [string, string][] = [
    ["an element of its own name before text", `${argument("content", "x").trim()} after`],
    ["such an element and more of the same kind", argument("content", "x") + argument("content", "y").trim()],
    ["an empty one and text around it", `before ${argument("content", "").trim()} after`],
    ["a whole call", `${begin}${argument("path", "b")}${argument("content", "x")}${end}`],
    ["two whole calls with text between", `${begin}${argument("content", "x")}${end}\nand\n${begin}${end}\nend`],
    ["what ends a call", end],
    ["a tag that ends a call and text behind it", `${end.split("\n")[0]} ends it.`],
    ["an opening tag that is only spoken of", `write ${argument("content", "x").trim().split("x")[0]!.trim()} first`],
    ["what begins a call", `write ${begin.trim()} first`],
  ];

  // In GLM an argument has two elements, so this is one within another.
  it.skipIf(protocol === "glm45")("is the line within its own element", () => {
    const { calls, invalid } = read(
      write([
        ["path", "a"],
        ["content", argument("content", "x").trim()],
      ]),
    );
    expect({ calls, invalid }).toEqual({ calls: [{ path: "a", content: "x" }], invalid: [] });
  });

  it.each(inside)("may contain %s", (_, content) => {
    for (const parts of [
      [
        ["path", "a"],
        ["content", content],
      ],
      [
        ["content", content],
        ["path", "a"],
      ],
      [
        ["path", "a"],
        ["content", content],
        ["count", "1"],
      ],
    ] as [string, string][][]) {
      const { calls, text, invalid } = read(write(parts));
      const wanted = parts.map(([key, value]) => [key, key === "count" ? 1 : value]);
      // The path inside the shown call may as well be the argument that is still to come.
      if (content.includes(argument("path", "b")) && parts[0]?.[0] === "content") continue;
      expect(invalid).toEqual([]);
      expect({ calls, text }).toEqual({ calls: [Object.fromEntries(wanted)], text: "" });
    }
  });
});

it("reads an argument of Kimi K3 whose tag does not say its type", () => {
  const written = [
    ["path", "a"],
    ["count", "2"],
  ].map(([key, value]) => `<|open|>argument key="${key}"<|sep|>${value}<|close|>argument<|sep|>`);
  const reply = `<|open|>tools<|sep|><|open|>call tool="save" index="0"<|sep|>${written.join("")}<|close|>call<|sep|><|close|>tools<|sep|>`;
  expect(parseReply(reply, { tools, protocol: "kimi-k3" })).toMatchObject({
    text: "",
    toolCalls: [{ arguments: { path: "a", count: 2 } }],
  });
  const parser = createReplyParser({ tools, protocol: "kimi-k3" });
  const events = [...[...reply].flatMap((char) => parser.push(char)), ...parser.end()];
  expect(events.at(-1)).toMatchObject({ type: "call-end", call: { arguments: { path: "a", count: 2 } } });
});

it.each<[ProtocolName, string]>([
  ["tool-tags", "<save><content>a</content> or <content>b</content></save>"],
  ["am-xml", '<am:tool_call name="save"><content>a</content> or <content>b</content></am:tool_call>'],
])("refuses a value that may be two of one name, with words between them: %s", (protocol, reply) => {
  const parser = createReplyParser({ tools, protocol });
  const events = [...[...reply].flatMap((char) => parser.push(char)), ...parser.end()];
  expect(events.at(-1)).toMatchObject({ type: "call-invalid", call: { error: { code: "malformed" } } });
  expect(parseReply(reply, { tools, protocol }).toolCalls).toEqual([]);
});
