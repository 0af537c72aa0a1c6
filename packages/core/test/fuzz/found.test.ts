import { describe, expect, test } from "vitest";
import { getProtocol, type ProtocolName, type ReplyParserOptions } from "../../src/index.js";
import { laws } from "./laws.js";
import { Reply } from "./reply.js";

// Replies in which the fuzzer found that a law was broken, as it shrank them.

type Found = [text: string, options: ReplyParserOptions];

const tool = (name: string) => [{ name }];

const found: Found[] = [
  // A separator written twice, before which a chunk ended.
  ["<|python_tag|>;;", { tools: tool("f"), accept: "own" }],
  ["<|tool_call_start|>[f(),,]", { tools: tool("f"), protocol: "lfm2" }],
  ["f(),,", { tools: tool("f"), protocol: "lfm2" }],
  ["[g(),,g(", { tools: tool("g"), protocol: "pythonic" }],
  // Something broken after a call whose object went on.
  ['<|tools_prefix|>[{"f":n"b"r', { protocol: "apertus" }],
  ['<|tools_prefix|>[{"p_":"10"]],rer|><|tools_prefix|>', { tools: tool("p_"), protocol: "apertus", accept: "own" }],
  ['<|tools_prefix|>{"_": 0, \\"p', { tools: tool("p"), protocol: "apertus", accept: "own" }],
  // Text after a broken call or a comment's mark, which a chunk had emitted.
  ['{action:{}}{" {"tool:"', { protocol: "json-action", accept: "own" }],
  ["//{action:l", { tools: tool("f"), protocol: "json-action", accept: "own" }],
  // An object behind the mark of a comment, after a bracket that was closed before.
  ['[}//{"action":{"tool":"f"}}', { tools: tool("f"), protocol: "json-action" }],
  // The same after a call.
  ['{"action":{"tool":"f"}}\n// {"action":{"tool":"f"}}', { tools: tool("f"), protocol: "json-action" }],
  ['a {"action":{"tool":"f"}}\n// {"action":{"tool":"f"}}', { tools: tool("f"), protocol: "json-action" }],
  // An escape of JSON after a letter and a colon, as of a drive.
  ['<tool_call>{"name":"f","arguments":{"a":"e:\\u510F"}}</tool_call>', { tools: tool("f"), protocol: "hermes" }],
  // Numbers that JSON cannot represent.
  ...["deepseek-v4", "glm45", "qwen3-coder", "laic", "xml", "yaml"].map(
    (protocol): Found => [rendered(protocol), { tools: tool("f"), protocol } as ReplyParserOptions],
  ),
  ["<i>\n: -0</i>", { tools: tool("i"), protocol: "yaml" }],
  ["<i>\na: [-0, 1e999]\n</i>", { tools: tool("i"), protocol: "yaml" }],
  [
    "<w>ervation:\n<lmvuk3o>",
    {
      tools: [{ name: "w", parameters: { type: "object", properties: { lmvuk3o: { type: "boolean" } } } }],
      protocol: "tool-tags",
    },
  ],
  [
    '<xe1cvel0>\n<c7__1_a:[[[-$ZU`"4442016]]]</c7_2___1_a>\n<ld8_____>["", ", \\nname<',
    { tools: tool("xe1cv_el0"), protocol: "tool-tags", accept: "own" },
  ],
  // A label without a name before the next.
  ["Action:Action Input:", { tools: tool("call"), protocol: "react", accept: "own" }],
  // A key without a value.
  ["<f>{o}\n</", { tools: tool("f"), protocol: "yaml" }],
  // The tag of an argument to come, longer than one that is waited for.
  [
    '<steptml:invoke name="f"><steptml:parameter name="b">\n\n\n<steptml:parameter name">[]ter name="z_2l778_5">"\u202e \\u00l_call_end｜>',
    {
      tools: [{ name: "f", parameters: { properties: { b: { type: "string" }, z_2l778_5: {} } } }],
      protocol: "xml",
    },
  ],
  // A string without its last mark that swallowed the next key.
  [
    '<|tool_call>call:f{a:<|"|>,r:[{1},{yj:3,x:4<tool_call|>',
    {
      tools: [
        {
          name: "f",
          parameters: {
            type: "object",
            properties: { r: { type: "array", items: { type: "object", properties: { yj: { type: "number" } } } } },
          },
        },
      ],
      protocol: "gemma4",
    },
  ],
  [
    "<start_function_call>call:f{a:<escape>,key:[null,true,287,true,null,null,8.6]}<end_function_call>",
    {
      tools: [{ name: "f", parameters: { type: "object", properties: { key: {} } } }],
      protocol: "functiongemma",
    },
  ],
  // JSON in the text, with a possible call in it.
  ['{"":}\n{"action":{}\n{"action":{"tool":"w" "args":1}', { tools: tool("w_"), accept: "own" }],
  // A key whose string swallowed the next one, in a call that is cut off.
  ['<function_calls>ch(qr={"m":": ["<a>", "b"', { tools: tool("kom"), accept: "own" }],
  // An operation of Python whose last operand is a number with an exponent.
  ["[w9(x] -81e0]", { tools: tool("w9"), protocol: "pythonic", accept: "own" }],
  ["u(o<5e7,", { protocol: "pythonic", accept: "own" }],
  ["<|tool_call_start|>_()-1e9", { tools: tool("p6"), accept: "own" }],
  // A name whose characters are pairs, before a marker.
  ["<｜tool▁call▁begin｜>𓂵<｜tool▁sep｜>", { tools: tool("a"), protocol: "internlm2", accept: "any" }],
  // A turn of another role without content.
  ["<<|im_start|>tool", { tools: tool("g"), protocol: "granite4", accept: "own" }],
  // A line after a tool's name, with or without arguments after it.
  [
    "Action:w\nA\n {",
    {
      tools: [{ name: "w", parameters: { type: "object", properties: { p: { type: "string" } } } }],
      protocol: "react",
      accept: "own",
    },
  ],
  // The beginning of a name that is a Python keyword.
  ['<function_calls>f(q={"r": "O"<ino', { tools: tool("f"), protocol: "granite-20b", accept: "any" }],
  // A call that breaks off in backticks, and text after it.
  ["```n\n", { tools: tool("h"), accept: "own", prefill: "<|tool_call_start|>```h(p" }],
  // Text between two markers of a message, after a result that the model made up.
  ["<|start|>1<|message|><|message|>", { tools: tool("f"), protocol: "harmony" }],
  // A call in backticks after a marker, and text after it.
  ["<|tool_call_start|>```p(r```j", { tools: tool("bj"), accept: "own" }],
  ["<|tool_call_start|>```p()```S", { tools: tool("psd"), protocol: "minicpm3", accept: "own" }],
  // White space before a call on a line of its own.
  ["\u00a0@", { tools: tool("f"), protocol: "at-command" }],
  ["\ufeff@f {}", { tools: tool("f"), protocol: "at-command" }],
  ["\r@f {}", { tools: tool("f"), protocol: "at-command" }],
  ["\u3000@f {}", { tools: tool("f"), protocol: "at-command" }],
  ["\ufeffAction: f\nAction Input: {}", { tools: tool("f"), protocol: "react" }],
  ["<|tool_response_start|>\u2028<think>", { tools: tool("f") }],
  ["<｜tool▁call▁begin｜>\u2028z<｜tool▁sep｜>", { tools: tool("f"), accept: "own" }],
  ["><function=\u2028first\n2", { tools: tool("f"), accept: "own" }],
  // A fence around text that begins like a call.
  ['```@Action: b91ey4x_tls88r_"]]}\n`', { tools: tool("k3") }],
  ["`<|im_start|></call><|start|>`", { tools: tool("arguments"), accept: "own" }],
  ["<function_calls>7()s<tool_result>", { tools: tool("f"), protocol: "olmo3" }],
  ["<tool_result>a", { tools: tool("f"), protocol: "seed-oss", accept: "own" }],
  ['<d>{"name":do6q', { tools: tool("do6q"), protocol: "pythonic" }],
  // An empty message.
  ["{action:", { protocol: "json-action", accept: "own" }],
  // A failed trial within text that begins like JSON.
  [
    '```"<m:call>```{"name":"n39" "params":{}}',
    { tools: tool("n3_9_"), protocol: "llama3-json", accept: "any", prefill: '{"' },
  ],
  // A marker that is looked for before the place where it was found.
  [
    '<think>@of____ {"e_elh3144l": [{"dm": "<think>I will call the tool.</think>@tool "}, [[]], "d8_7_": [\\"e1\\", , false]], \\ra\\: \\\\}\\n@hwof____ {\\e_elh3144l\\: [{\\dm\\: \\<|tool_call_begin|>functions. <tool_result\\"}, {\\"dm\\": [\\"$q$\\"]}, {\\"dm\\": null}]}<think>',
    { tools: tool("hwof____"), protocol: "at-command" },
  ],
  // White space between words that are skipped, where a chunk ends.
  [
    "<ba3n><ansl9_></ansl9_>e\nmx:",
    {
      tools: [{ name: "b_a3n", parameters: { type: "object", properties: { m__x: {} } } }],
      protocol: "tool-tags",
      accept: "own",
    },
  ],
  // Text of a prefill after a broken call in it.
  [">", { tools: tool("eapply"), protocol: "ernie", prefill: "<tool_call></tool_call>l" }],
  // Words after an argument that begin like the end of the call.
  [
    '<|open|>call tool="b" index="2"<|sep|><|open|>argument key="d"<|sep|>{}<|close|>argument<|sep|>.call',
    { tools: tool("b"), protocol: "kimi-k3", accept: "own" },
  ],
  // A comment between calls of another format, in reasoning that is never closed.
  [
    '<think><tool_call>\n{"name":"f","arguments":{}}\n</tool_call>// hm <tool_call>\n{"name":"f","arguments":{}}\n</tool_call>',
    { tools: tool("f"), protocol: "json-action" },
  ],
  // A name that contains another one, in chunks; a list bullet before a call that is cut off.
  [
    'kom.memory.v1.search_memory{"":""}',
    {
      tools: [...tool("search"), ...tool("kom.memory.v1.search_memory")],
      protocol: "glm4",
      accept: "own",
      prefill: "y\n",
    },
  ],
  ["- s7{", { tools: tool("s7_"), protocol: "glm4", accept: "own" }],
  // An end token after a broken call without a marker.
  ['f4354143{"":""t"}<|observation|>', { tools: tool("f4354___143"), protocol: "glm4", accept: "own" }],
  // More than one piece of markup after such a call.
  [
    "dp(_)<|python_end|>)",
    { tools: [{ name: "d__p", parameters: { type: "object", properties: {} } }], protocol: "pythonic", accept: "own" },
  ],
  ['arguments{"":""b"}</TOOLCALL>```', { tools: tool("arguments"), protocol: "glm4" }],
  // Attributes in an element named after a tool, whose notation no form of the protocol names.
  ['<a n=""><m>', { protocol: "yaml", accept: "own" }],
  ['<a n=""/>', { tools: tool("a"), protocol: "tool-tags", accept: "own" }],
  // White space in a tag, where a chunk ended; a bracket after what cannot be a name.
  ["<seed:tool_call >", { tools: tool("v"), protocol: "seed-oss" }],
  ['<tool_call>_": \\"ud\\"}}\\n<', { tools: tool("men46_"), protocol: "auto", accept: "own" }],
  ['<tool_call>\n`",uments": {}}\n<', { protocol: "hermes", accept: "own" }],
  // The line of a tag after a broken call, in chunks; a tool's name that does not end.
  [
    "<name>\\<name>a<",
    {
      tools: [{ name: "name", parameters: { properties: { name: { type: "string" } } } }],
      protocol: "tool-tags",
      accept: "own",
    },
  ],
  [`<call name="${"a long name “".repeat(30)}`, { tools: tool("r"), protocol: "laic", accept: "own" }],
  [`<call name="${"no end ".repeat(40)}'/><`, { tools: tool("r"), protocol: "laic", accept: "own" }],
  [`<call name="${"a😀".repeat(120)}'/>;<call>`, { tools: tool("r"), protocol: "laic", accept: "own" }],
  [`<call name="${"&amp;&#65;b".repeat(100)}"/>;<call>`, { tools: tool("r"), protocol: "laic", accept: "own" }],
  // An opener twice, where a chunk ends after the first.
  ["<function_call><function_call>", { tools: tool("y"), protocol: "granite-20b", accept: "own" }],
  ["<|im_start|>\n<tool_call>", { tools: tool("f"), protocol: "hermes", accept: "own" }],
  // A fence in the element of a tool's name.
  ["<tool_call><name>t\n```</name>", { tools: tool("f"), protocol: "xml", accept: "own" }],
  ["<function_calls>h\n```(", { tools: tool("g"), protocol: "olmo3", accept: "own" }],
  // Another bracket in the element of a name, and another element.
  ["<tool_call><name>os<</name>", { tools: tool("f"), protocol: "xml", accept: "own" }],
  ["<tool_call><function>I<</function>", { tools: tool("f"), protocol: "qwen3-coder", accept: "own" }],
  ["<tool_call><name>f<name>g</name><arguments>{}</arguments></tool_call>", { tools: tool("f"), protocol: "xml" }],
  // The end of a block without the bracket of its list.
  ['"[unused12]', { tools: tool("l1"), protocol: "pangu", accept: "own", prefill: '[unused11][{e:"' }],
  // A space between two pieces of the code after a call.
  ['```python\ni23(g:1)\n`, "w', { tools: tool("i23"), protocol: "pythonic", accept: "own" }],
  // The end of reasoning in another bracket.
  ["<think>x</think]\nHi", { protocol: "hermes" }],
  // A quotation mark in the tag of an argument, after which the next tag may end it.
  [
    '<｜DSML｜ invoke name="f">\n<｜DSML｜ parameter name="a" ne">true</｜DSML｜ parameter>\n<｜DSML｜ ng="false">true</｜DSML｜ parameter>\n<｜DSML｜ pg="falsarameter name="b" string="true">',
    {
      tools: [{ name: "f", parameters: { properties: { a: { type: "boolean" } } } }],
      protocol: "deepseek-v41",
      accept: "own",
    },
  ],
  // A quotation mark before a call, and space between them, also after text that was emitted.
  ...["hermes", "xml", "llama3-json", "react", "functionary", "json-list", "pythonic"].flatMap((protocol): Found[] =>
    ['"\n{"name":"f"}', '"  {"name":"f"}'].map((text) => [text, { tools: tool("f"), protocol } as ReplyParserOptions]),
  ),
  ...["json-list", "json-action", "pythonic"].map(
    (protocol): Found => [
      `ok //${" ".repeat(66)}{"name":"f","arguments":{}}`,
      { tools: tool("f"), protocol } as ReplyParserOptions,
    ],
  ),
  // A bracket too many after a call, and a token that may end the turn.
  ...["<|end|><|eot|>", "<|end|>f()", "<|observation|><|"].map(
    (after): Found => [
      `<<|call|>{"name": "f", "arguments": {}}]${after}`,
      { tools: tool("f"), protocol: "functionary" },
    ],
  ),
  // Half a character at the end of a chunk.
  ["a😀b", { protocol: "hermes" }],
  ["\ud83d", { protocol: "hermes" }],
  ["\ud933<tool_result\udfd3", { tools: tool("r"), protocol: "granite", accept: "own" }],
  // A comment before a marker that has another one in its middle.
  ["<|tool_calls|>//<|tool_call:begin|>", { tools: tool("f"), protocol: "solar-open", accept: "own" }],
  // The halves of a character before a fence that may end.
  ["```python\ni23()\u{1f30e})", { tools: tool("i23"), protocol: "pythonic", accept: "own" }],
  // The marker before a turn with a label.
  ["<end_of_sentence>Observation", { tools: tool("l"), protocol: "functionary", accept: "own" }],
  // A call that is read again after it was broken.
  ['<|tools_prefix|>[{\\"1\\"]o', { tools: tool("u3n"), protocol: "apertus", accept: "own" }],
  ['<|tools_prefix|>{\\"\\"]t', { tools: tool("u3n"), protocol: "apertus", accept: "own" }],
];

/** A call with `[1e999]` for a value. */
function rendered(protocol: string): string {
  const text = getProtocol(protocol as ProtocolName).renderCalls([{ name: "f", arguments: { a: [12321] } }], {
    tools: tool("f"),
  });
  return text.replace("12321", "1e999");
}

describe.each(Object.entries(laws))("%s", (_, law) => {
  test.each(found)("%j", (text, options) => {
    for (const finish of [undefined, "length"] as const) {
      expect(law(new Reply(text, options, finish, 1))).toBeUndefined();
    }
  });
});
