import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import { createReplyParser, parseReply } from "../../full/index.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";
import { collectReply } from "../parse-reply.js";

const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const other = (fence: string) => (fence === "~~~" ? "```" : "~~~");

describe.each(["```", "~~~"])("a code fence of %s", (fence) => {
  const fenced = `${fence}xml\n${call}\n${fence}`;

  test.each<[string, string, Piece[]]>([
    [
      "that is the whole reply is markup around the call",
      fenced,
      [
        ["dropped", `${fence}xml\n`],
        ["call", "get_weather"],
        ["dropped", `\n${fence}`],
      ],
    ],
    ["after words quotes the call", `Like so:\n${fenced}`, [["text", `Like so:\n${fenced}`]]],
    ["of HTML quotes the call", fenced.replace("xml", "html"), [["text", fenced.replace("xml", "html")]]],
    [
      "that is never closed quotes nothing",
      `Like so:\n${fence}\n${call}`,
      [
        ["text", `Like so:\n${fence}`],
        ["call", "get_weather"],
      ],
    ],
    [
      "quotes the other fence as well",
      `Like so:\n${fence}\n${other(fence)}\n${call}\n${fence}`,
      [["text", `Like so:\n${fence}\n${other(fence)}\n${call}\n${fence}`]],
    ],
    [
      "that is longer quotes a shorter one, and all in it",
      `Write:\n${fence}${fence[0]}markdown\n${fenced}\n${fence}${fence[0]}\nThat is it.`,
      [["text", `Write:\n${fence}${fence[0]}markdown\n${fenced}\n${fence}${fence[0]}\nThat is it.`]],
    ],
    [
      "is closed by a longer one",
      `Like so:\n${fence}\nx\n${fence}${fence[0]}\n${call}`,
      [
        ["text", `Like so:\n${fence}\nx\n${fence}${fence[0]}`],
        ["call", "get_weather"],
      ],
    ],
    [
      "ends where it is closed",
      `Like so:\n${fence}\n${call}\n${fence}\n${call}`,
      [
        ["text", `Like so:\n${fence}\n${call}\n${fence}`],
        ["call", "get_weather"],
      ],
    ],
  ])("%s", (_, reply, wanted) => {
    expect(pieces(reply, "hermes")).toEqual(wanted);
  });

  test("around a call without a marker is markup, and after words a quotation if words follow", () => {
    const json = '{"name": "get_weather", "parameters": {"city": "Oslo"}}';
    const tools = [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];
    const read = (reply: string) => parseReply(reply, { protocol: "llama3-json", tools }).toolCalls.length;
    expect(read(`${fence}json\n${json}\n${fence}`)).toBe(1);
    expect(read(`I call it:\n${fence}json\n${json}\n${fence}`)).toBe(1);
    expect(read(`Like so:\n${fence}json\n${json}\n${fence}\nDo you see?`)).toBe(0);
  });
});

describe("a code fence around a call that is named after its tool", () => {
  const tools = ["search", "fs.read_file"].map((name) => ({
    name,
    parameters: { type: "object", properties: { path: { type: "string" } } },
  }));
  const read = (text: string) => {
    const results = [[text], [...text]].map((chunks) => {
      const parser = createReplyParser({ protocol: "tool-tags", tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      const words = events.map((event) => (event.type === "text" ? event.text : "")).join("");
      return [events.filter(({ type }) => type === "call-end").length, words.trim()];
    });
    expect(results[1]).toEqual(results[0]);
    return results[0];
  };

  test.each(tools.map(({ name }) => name))("is markup, and after words a quotation if words follow: %s", (name) => {
    const element = `<${name}>\n<path>a</path>\n</${name}>`;
    expect(read(`I read it.\n\n\`\`\`xml\n${element}\n\`\`\`\n`)).toEqual([1, "I read it."]);
    expect(read(`I read it.\n~~~\n${element}\n~~~`)).toEqual([1, "I read it."]);
    expect(read(`I read it.\n\`\`\`xml\n${element}`)).toEqual([1, "I read it."]);
    for (const quoted of [
      `Like so:\n\`\`\`xml\n${element}\n\`\`\`\nDo you see?`,
      `The page:\n\`\`\`html\n${element}\n\`\`\``,
      `The list:\n\`\`\`xml\n${element}\n<other/>\n\`\`\``,
      `The list:\n\`\`\`xml\n<all>\n${element}\n</all>\n\`\`\``,
    ])
      expect(read(quoted)).toEqual([0, quoted]);
  });
});

test("tildes within a line, and fewer than three, quote nothing", () => {
  for (const before of ["It is ~~~ about ", "~~old~~\n", "~ 5\n", "a ~~~\n"])
    expect(pieces(`${before}${call}`, "hermes").at(-1)).toEqual(["call", "get_weather"]);
});

describe("inline code", () => {
  test("quotes the markers in it", () =>
    expect(pieces(`Write \`${call}\` for it.`, "hermes")).toEqual([["text", `Write \`${call}\` for it.`]]));

  test("ends with as many backticks as it begins with", () => {
    for (const reply of [`Write \`\` a \` ${call} \`\` for it.`, `Write \`\`a \` ${call}\`\` for it.`])
      expect(pieces(reply, "hermes")).toEqual([["text", reply]]);
    expect(pieces(`It is \`\`a \` b\`\` ${call}`, "hermes").at(-1)).toEqual(["call", "get_weather"]);
  });

  test("ends with its line", () =>
    expect(pieces(`Open \`here\n${call}`, "hermes")).toEqual([
      ["text", "Open `here"],
      ["call", "get_weather"],
    ]));

  const tools = [{ name: "add", parameters: { type: "object" as const, properties: { a: { type: "integer" } } } }];
  test.each(Object.keys(protocols) as ProtocolName[])("quotes all lines of a call in it: %s", (protocol) => {
    const written = protocols[protocol].renderCalls([{ name: "add", arguments: { a: 1 } }], { tools }).trim();
    const reply = `An example: \`${written}\` is a call.`;
    for (const chunks of [[reply], [...reply]]) {
      const parser = createReplyParser({ protocol, tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      expect(events.filter(({ type }) => type !== "text")).toEqual([]);
    }
  });

  test("that quotes a call ends with its paragraph", () =>
    expect(pieces(`Open \`<tool_call> here\nor there.\n \n${call}`, "hermes")).toEqual([
      ["text", "Open `<tool_call> here\nor there."],
      ["call", "get_weather"],
    ]));
});

test.each(["```", "~~~", "````", "~~~~"])(
  "the rest of a program in a fence of %s is no answer, and the text after it is",
  (fence) => {
    const reply = `${fence}python\nw = get_weather(city="Oslo")\nx = 1\nprint(x)\n${fence}\nThat is it.`;
    for (const chunks of [[reply], [...reply]]) {
      const parser = createReplyParser({ protocol: "pythonic" });
      const { text, toolCalls } = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
      expect([text, toolCalls.map(({ name }) => name)]).toEqual(["That is it.", ["get_weather"]]);
    }
  },
);

describe("code fences around calls without a marker", () => {
  const json = (city: string) => `{"name": "get_weather", "arguments": {"city": "${city}"}}`;
  const count = (reply: string, protocol: ProtocolName | "auto" = "auto") =>
    pieces(reply, protocol).filter(([kind]) => kind === "call").length;

  test.each(["```json\n", "```\n", "~~~json\n"])("that are the whole reply are markup: %j", (open) => {
    const fenced = (city: string) => `${open}${json(city)}\n${open.slice(0, 3)}`;
    for (const between of ["\n", "\n\n", " "]) {
      expect(count(fenced("Oslo") + between + fenced("Rome"))).toBe(2);
      expect(count([fenced("Oslo"), fenced("Rome"), fenced("Bern")].join(between), "hermes")).toBe(3);
    }
    expect(count(`${fenced("Oslo")}\n${json("Rome")}`)).toBe(2);
  });

  test("end once: another one after them is text, as a whole", () => {
    const result = "```text\nIt is 7.\n```\nIt is warm.";
    for (const [protocol, fenced] of [
      ["pythonic", '```tool_code\nget_weather(city="Oslo")\n```'],
      ["llama3-json", `\`\`\`json\n${json("Oslo")}\n\`\`\``],
      ["json-list", `\`\`\`json\n[${json("Oslo")}]\n\`\`\``],
    ] as const)
      expect(pieces(`${fenced}\n${result}`, protocol).filter(([kind]) => kind !== "dropped")).toEqual([
        ["call", "get_weather"],
        ["text", result],
      ]);
  });

  test("quote after words, also if they are never closed", () => {
    expect(count(`I look it up.\n\`\`\`json\n${json("Oslo")}`)).toBe(0);
    expect(count(`Do not run this:\n\`\`\`json\n${json("Oslo")}\n`, "hermes")).toBe(0);
    const closed = `So one asks:\n\`\`\`json\n${json("Oslo")}\n\`\`\``;
    expect(pieces(closed, "auto")).toEqual([["text", closed]]);
    expect(pieces(`${closed}\nDo you see?`, "hermes")).toEqual([["text", `${closed}\nDo you see?`]]);
    expect(count(`${closed}\n${closed}`)).toBe(0);
    expect(count(`A line \`\`\`json\n${json("Oslo")}`)).toBe(0);
  });
});

test.each(["```", "~~~"])("a fence of %s after a call, with nothing after it, is markup", (fence) => {
  for (const before of ["", "Now.\n"])
    for (const space of ["", "\n"])
      expect(pieces(`${before}${call}\n${fence}${space}`, "hermes").filter(([kind]) => kind !== "dropped")).toEqual([
        ...(before === "" ? [] : [["text", "Now."]]),
        ["call", "get_weather"],
      ]);
  for (const after of [`${fence}js\nadd()`, `${fence}\nadd()\n${fence}`, `Done:\n${fence}`])
    expect(pieces(`${call}\n${after}`, "hermes")).toEqual([
      ["call", "get_weather"],
      ["text", after],
    ]);
});

test.each(["functools[a]", "functools[]", 'functools[{"name": "get_time", "arguments": {}}]'])(
  "inline code that begins a reply with a word names it: %s",
  (code) => expect(pieces(`\`${code}\` is a format.`, "hermes")).toEqual([["text", `\`${code}\` is a format.`]]),
);

describe("inline code with only a tag, where the reply begins,", () => {
  test.each<[string, ProtocolName]>([
    ["`<tool_call>` opens, `</tool_call>` closes.", "hermes"],
    ["``<tool_call>`` opens it.", "hermes"],
    ["`<function=f>` opens a call.", "qwen3-coder"],
    ['`<am:tool_call name="get_weather">` is a tag.', "am-xml"],
    ["`[TOOL_CALLS]` begins calls.", "mistral"],
  ])("names it: %s", (reply, protocol) => {
    for (const chunks of [[reply], [...reply]]) {
      const parser = createReplyParser({ protocol });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      expect(collectReply(events)).toMatchObject({ text: reply, toolCalls: [], invalidToolCalls: [] });
    }
  });

  test.each<[string, ProtocolName]>([
    ["`<tool_call>`s open calls.", "glm45"],
    ["`<function_calls>` wraps calls such as f().", "olmo3"],
    ["`<tool_call>` [1] is a tag, {x} is none.", "hermes"],
    ["`<tool_call>`\nopens it.", "glm45"],
    ["`<tool_call>`是标签", "glm45"],
    ["`<tool_call>` and `</tool_call>` are tags.", "glm45"],
    ["There are `<tool_call>`s\nin it.", "glm45"],
    ["`<tool_call>`s\nare in it.", "glm45"],
  ])("names it, also before a word or a bracket: %s", (reply, protocol) =>
    expect(pieces(reply, protocol)).toEqual([["text", reply]]),
  );

  test.each<[string, ProtocolName, string]>([
    ["`<function_calls>`now()`</function_calls>`", "olmo3", "call"],
    ["`<tool_call>`now`</tool_call>`", "glm45", "call"],
    ['`<tool_call>`\n{"name": "now"}\n`</tool_call>`', "hermes", "invalid"],
    ['`[TOOL_CALLS]` [{"name": "now"}]', "mistral", "invalid"],
    ["`<function_calls>`\nnow()\n`</function_calls>`", "olmo3", "invalid"],
    ["`<tool_call>`\nnow\n`</tool_call>`", "glm45", "invalid"],
    ["`<tool_call>`now\n`</tool_call>`", "glm45", "invalid"],
  ])("and a call after it is one: %s", (reply, protocol, kind) =>
    expect(pieces(reply, protocol).map(([found]) => found)).toEqual(expect.arrayContaining([kind])),
  );

  test.each([`\`${call}\``, '`<am:tool_call name="get_weather"/>`'])("and a whole call is one: %s", (reply) => {
    expect(parseReply(reply, { protocol: "hermes" }).toolCalls).toMatchObject([{ name: "get_weather" }]);
  });
});

test.each(Object.values(protocols))(
  "several calls in a closed fence between words are text: $name",
  ({ name, renderCalls }) => {
    const calls = ["Oslo", "Rome"].map((city) =>
      renderCalls([{ name: "get_weather", arguments: { city } }], { tools: [] }),
    );
    for (const open of ["```", "```json", "~~~"]) {
      const reply = `For example:\n\n${open}\n${calls.join("\n")}\n${open.slice(0, 3)}\n\nwould do it.`;
      expect(pieces(reply, name as ProtocolName)).toEqual([["text", reply]]);
    }
  },
);
