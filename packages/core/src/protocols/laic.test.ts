import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReplyParser, listTools, parseReply, renderPrompt, type ToolDefinition } from "../index.js";
import { laic } from "./laic.js";

const weather: ToolDefinition = {
  name: "get_weather",
  description: 'The weather of a "place"',
  parameters: {
    type: "object",
    properties: {
      location: { type: "string", description: "Where" },
      days: { type: "integer", minimum: 1 },
      unit: { enum: ["C", "F"] },
      tags: { type: "array", items: { type: "string" } },
      position: { type: "object", properties: { lat: { type: "number" }, lon: { type: "number" } } },
      name: { type: ["string", "null"] },
      detailed: { type: "boolean" },
    },
    required: ["location"],
  },
};
const run: ToolDefinition = {
  name: "run_script",
  parameters: { type: "object", properties: { code: { type: "string" }, args: {} }, additionalProperties: false },
};
const now: ToolDefinition = { name: "now" };
const tools = [weather, run, now];

const render = (name: string, args: Record<string, unknown>, protocol = laic()) =>
  protocol.renderCalls([{ name, arguments: args }], { tools });
const read = (text: string, options: Parameters<typeof parseReply>[1] = {}) =>
  parseReply(text, { tools, protocol: "laic", ...options });
/** The only call of a reply: its arguments, and the codes of its repairs. */
const only = (text: string, options: Parameters<typeof parseReply>[1] = {}) => {
  const { toolCalls, invalidToolCalls } = read(text, options);
  expect(invalidToolCalls).toEqual([]);
  expect(toolCalls).toHaveLength(1);
  const [{ name, arguments: args, repairs = [] }] = toolCalls as [(typeof toolCalls)[number]];
  return { name, args, repairs: repairs.map(({ code }) => code) };
};

describe("laic", () => {
  it("shows tools under their aliases, with types and optional parameters", () => {
    const section = laic().renderTools(tools, { style: "native", toolChoice: "auto", parallel: true, listTools });
    expect(section).toContain(
      [
        `<tool name="GW" desc='The weather of a "place"'>`,
        '<param key="loc" type="string" desc="Where"/>',
        '<param key="days" type="integer" optional="true" desc="at least 1"/>',
        `<param key="unit" type='"C" | "F"' optional="true"/>`,
        '<param key="tags" type="string[]" optional="true"/>',
        '<param key="pos" type="{ lat?: number, lon?: number }" optional="true"/>',
        '<param key="nam" type="string | null" optional="true"/>',
        '<param key="det" type="boolean" optional="true"/>',
        "</tool>",
      ].join("\n"),
    );
    expect(section).toContain('<tool name="N"/>');
    expect(section).toContain('<call name="GW" loc="..."/>');
    for (const name of ["get_weather", "location", "run_script"]) expect(section).not.toContain(name);
  });

  it("tells the model to call listed tools only, and to keep names secret", () => {
    const section = laic().renderTools(tools, { style: "native", toolChoice: "auto", parallel: true, listTools });
    expect(section).toContain("never call a tool that is not listed");
    expect(section).toMatch(/If the user asks which tools you have, .*descriptions/);
  });

  it("uses the aliases in every style, in notices, prefills and results", () => {
    for (const style of ["json", "signature"] as const) {
      const section = laic().renderTools(tools, { style, toolChoice: "auto", parallel: true, listTools });
      expect(section).toContain("GW");
      expect(section).toContain("loc");
      expect(section).not.toMatch(/get_weather|location/);
    }
    const prompt = renderPrompt({
      messages: [{ role: "user", content: "Paris?" }],
      tools,
      protocol: "laic",
      toolChoice: { name: "get_weather" },
    });
    expect(prompt.messages.at(-1)?.content).toContain("calling the tool GW.");
    expect(prompt.prefill).toBe('<call name="GW"');
    const result = { toolCallId: "1", name: "get_weather", content: "18 °C" };
    expect(laic().renderResults([result], { tools })).toBe('<tool_output name="GW">\n18 °C\n</tool_output>');
  });

  it("explains errors with aliases, because the model knows no other names", () => {
    const feedback = (text: string) =>
      parseReply(text, { tools, protocol: "laic" }).invalidToolCalls.map(({ error }) => error.feedback)[0];
    const texts = [
      feedback('<call name="GX" loc="Paris"/>'),
      feedback('<call name="GW" days="many"/>'),
      feedback('<call name="GW" loc="Par'),
    ];
    expect(texts[0]).toContain('"GW"');
    expect(texts[1]).toContain('"loc"');
    expect(texts[2]).toContain('"GW"');
    for (const text of texts) expect(text).not.toMatch(/get_weather|location|run_script/);
    const [call] = parseReply('<call name="GW" days="many"/>', { tools, protocol: "laic" }).invalidToolCalls;
    expect(call).toMatchObject({ name: "get_weather", error: { message: expect.stringContaining("get_weather") } });
  });

  it("writes text and words in double quotes, everything else as JSON in single quotes", () => {
    expect(render("get_weather", { location: "San Francisco", days: 3, detailed: false })).toBe(
      '<call name="GW" loc="San Francisco" days="3" det="false"/>',
    );
    expect(render("get_weather", { tags: ["a", "it's"], position: { lat: 1.5 }, name: null })).toBe(
      `<call name="GW" tags='["a", "it\\u0027s"]' pos='{"lat": 1.5}' nam='null'/>`,
    );
    expect(render("run_script", { code: 'if (a < 1 && b > "2")\n  go()', args: "5" })).toBe(
      `<call name="RS" code="if (a &lt; 1 &amp;&amp; b > &quot;2&quot;)\n  go()" args='"5"'/>`,
    );
  });

  it("refuses keys that no attribute can represent or that have another meaning, unless an alias covers them", () => {
    const spaced = { name: "f", parameters: { type: "object", properties: { "a b": {} } } };
    const covered = laic().renderCalls([{ name: "f", arguments: { "a b": "1" } }], { tools: [spaced] });
    expect(covered).toBe(`<call name="F" ab='"1"'/>`);
    for (const args of [{ "x y": 1 }, { "": 1 }, { name_: 1, Name: 1 }, { loc: "x" }]) {
      const refused = () => render("get_weather", args);
      expect(refused).toThrow(expect.objectContaining({ name: "RenderError", code: "unwritable-key" }));
    }
    expect(() => render("gw", {})).toThrow(expect.objectContaining({ code: "unwritable-name" }));
  });

  it("accepts given aliases, and reports an invalid one before any reply", () => {
    const protocol = laic({ aliases: { get_weather: { alias: "W", parameters: { location: "place" } } } });
    const text = render("get_weather", { location: "Paris" }, protocol);
    expect(text).toBe('<call name="W" place="Paris"/>');
    expect(only(text, { protocol }).args).toEqual({ location: "Paris" });
    expect(protocol.renderTools(tools, { style: "native", toolChoice: "auto", parallel: true, listTools })).toContain(
      '<param key="place"',
    );
    const bad = laic({ aliases: { get_wether: { alias: "W" } } });
    expect(() => createReplyParser({ tools, protocol: bad })).toThrow(
      expect.objectContaining({ name: "AliasError", code: "unknown-tool" }),
    );
    expect(() => createReplyParser({ protocol: bad })).not.toThrow();
  });
});

describe("a reply in laic", () => {
  it("contains the call at the end, after reasoning and text", () => {
    const reply = read('<thinking>Which city?</thinking>\nI look.\n<call name="GW" loc="San Francisco"/>');
    expect(reply.reasoning).toBe("Which city?");
    expect(reply.text).toBe("I look.");
    expect(reply.toolCalls[0]).toMatchObject({ name: "get_weather", arguments: { location: "San Francisco" } });
  });

  it("contains several calls, but no results that the model made up", () => {
    const reply = read(
      '<call name="GW" loc="Paris"/>\n<call name="N"/>\n<tool_output name="N">\n12:00\n</tool_output>',
    );
    expect(reply.toolCalls.map(({ name }) => name)).toEqual(["get_weather", "now"]);
    expect(reply.text).toBe("");
  });

  it.each([
    ["full names", '<call name="get_weather" location="Rome" days="2"/>', []],
    ["another case", '<call name="gw" LOC="Rome" days="2"/>', ["renamed-tool", "renamed-key"]],
    ["single quotes", "<call name='GW' loc='Rome' days='2'/>", []],
    ["space and commas", '<call\n  name = "GW",\n  loc = "Rome", days="2"\n/>', []],
    ["no space", '<call name="GW"loc="Rome"days="2"/>', []],
    ["the name behind", '<call loc="Rome" name="GW" days="2"/>', []],
    ["no quotes", '<call name="GW" loc="Rome" days=2/>', ["unquoted-value"]],
    ["a closing tag", '<call name="GW" loc="Rome" days="2"></call>', ["wrong-closer"]],
    ["a closing tag of another name", '<call name="GW" loc="Rome" days="2"></tool_call>', ["wrong-closer"]],
    ["children", '<call name="GW" loc="Rome">\n<days>2</days>\n</call>', ["wrong-closer"]],
    ["only children", '<call name="GW"><loc>Rome</loc><days>2</days></call>', ["wrong-closer"]],
    ["JSON between the tags", '<call name="GW">{"location": "Rome", "days": 2}</call>', ["wrong-closer"]],
    ["JSON behind attributes", '<call name="GW" loc="Rome">{"days": 2}</call>', ["wrong-closer"]],
    ["a tag left open", '<call name="GW" loc="Rome" days="2">', ["missing-closer"]],
    ["no end at all", '<call name="GW" loc="Rome" days="2"', ["missing-closer"]],
    ["a code fence", '```xml\n<call name="GW" loc="Rome" days="2"/>\n```', []],
  ])("is read with %s", (_, text, codes) => {
    const { name, args, repairs } = only(text);
    expect(name).toBe("get_weather");
    expect(args).toEqual({ location: "Rome", days: 2 });
    expect(repairs).toEqual(codes);
  });

  it("reads `name` as a parameter after the tool's name", () => {
    expect(only('<call name="GW" loc="Rome" name="Bob"/>').args).toEqual({ location: "Rome", name: "Bob" });
    expect(only('<call name="GW" loc="Rome" nam=\'"null"\'/>').args).toEqual({ location: "Rome", name: "null" });
    expect(only('<call name="GW" loc="Rome" nam="null"/>').args).toEqual({ location: "Rome", name: null });
  });

  it("reads arrays and objects however they are quoted", () => {
    const args = { location: "Rome", tags: ["a", "b c"], position: { lat: 1, lon: 2 } };
    for (const [tags, position] of [
      [`'["a", "b c"]'`, `'{"lat": 1, "lon": 2}'`],
      [`"[&quot;a&quot;, &quot;b c&quot;]"`, `"{&quot;lat&quot;: 1, &quot;lon&quot;: 2}"`],
      [`"["a", "b c"]"`, `"{"lat": 1, "lon": 2}"`],
      [String.raw`"[\"a\", \"b c\"]"`, String.raw`"{\"lat\": 1, \"lon\": 2}"`],
      [`["a", "b c"]`, `{"lat": 1, "lon": 2}`],
    ]) {
      expect(only(`<call name="GW" loc="Rome" tags=${tags} pos=${position}/>`).args).toEqual(args);
    }
  });

  it.each([
    ['say "hi" to them', []],
    ['print("a") if x > "b" else y', []],
    ['<a href="x" title="code">y</a>', []],
    ['<img src="x"/>\n<img src="y"/> done', []],
    ['<img src=""/> done', []],
    ['x="1" and y="2"', []],
  ])("keeps unescaped quotes in text: %s", (code) => {
    const { args, repairs } = only(`<call name="RS" code="${code}" args="5"/>`);
    expect(args).toEqual({ code, args: 5 });
    expect(repairs).toEqual(["unescaped-quote"]);
  });

  it("keeps backslashes, except one that escapes a quote", () => {
    expect(only(String.raw`<call name="RS" code="say \"hi\" in C:\dir\" args="1"/>`).args).toEqual({
      code: String.raw`say "hi" in C:\dir${"\\"}`,
      args: 1,
    });
  });

  it("may be truncated in an attribute: an incomplete value is dropped", () => {
    const cut = read('<call name="GW" loc="Rome" days="12');
    expect(cut.invalidToolCalls).toMatchObject([
      { name: "get_weather", arguments: { location: "Rome" }, error: { code: "truncated" } },
    ]);
    for (const text of ['<call name="GW" loc="Ro', '<call name="GW" da', '<call name="GW" days=1', '<call name="G']) {
      expect(read(text).invalidToolCalls).toMatchObject([{ error: { code: "truncated" } }]);
    }
    expect(read('<call name="GW" loc="Rome"', { finish: "length" }).toolCalls).toEqual([]);
  });

  it("is recognised by alias or full name without being requested, and its aliases mean nothing elsewhere", () => {
    for (const options of [{ protocol: "auto" }, { protocol: "hermes" }] as const) {
      expect(only('<call name="GW" loc="Rome"/>', options).args).toEqual({ location: "Rome" });
      expect(only('<call name="get_weather" location="Rome"/>', options).args).toEqual({ location: "Rome" });
    }
    const hermes = '<tool_call>{"name": "GW", "arguments": {"loc": "Rome"}}</tool_call>';
    expect(read(hermes).invalidToolCalls).toMatchObject([{ name: "GW", error: { code: "unknown-tool" } }]);
  });

  it("keeps text that is not a number of JSON", () => {
    const parser = createReplyParser({ tools: [{ name: "f", parameters: { properties: { n: { type: "number" } } } }] });
    const events = [...parser.push(`<call name="F" n="1e999"/><call name="F" n="-0"/><call name="F" n='" -0"'/>`)];
    const all = [...events, ...parser.end()];
    const ended = all.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []));
    expect(ended).toEqual([{ n: 0 }, { n: 0 }]);
    const invalid = all.find((event) => event.type === "call-invalid");
    expect(invalid).toMatchObject({ call: { arguments: { n: "1e999" }, error: { code: "invalid-arguments" } } });
  });

  it("passes names and arguments unchanged if no tools are known", () => {
    const text = `<call name="GW" loc="San Francisco" n="5" s='"5"' ok="true" list='[1]'/>`;
    expect(only(text, { tools: undefined })).toEqual({
      name: "GW",
      args: { loc: "San Francisco", n: 5, s: "5", ok: true, list: [1] },
      repairs: [],
    });
  });

  it("is text if it names no tool", () => {
    for (const text of ["a <call> b", '<call id="1">', "<caller name='x'/>", "write `<call name='GW'/>` so"]) {
      expect(read(text)).toMatchObject({ text, toolCalls: [], invalidToolCalls: [] });
    }
  });

  it("is broken without affecting other calls", () => {
    const reply = read('<call name="GW" loc="Rome" ?!/>\n<call name="N"/>');
    expect(reply.invalidToolCalls).toMatchObject([{ name: "get_weather", error: { code: "malformed" } }]);
    expect(reply.toolCalls.map(({ name }) => name)).toEqual(["now"]);
  });

  it("reads the same in any chunks, also with unescaped quotes and tags", () => {
    const piece = fc.constantFrom(
      ...[
        '"',
        "'",
        "<",
        ">",
        "/>",
        "/",
        "=",
        " ",
        "\n",
        "\\",
        "&",
        "&amp;",
        "&#10;",
        ",",
        "{",
        "]",
        "a",
        "code",
        "args=",
      ],
      ...["<call ", "</call>", 'name="', "<code>", "</code>", "<!--", "😀"],
    );
    const body = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
    const events = (chunks: readonly string[]) => {
      let id = 0;
      const parser = createReplyParser({ tools, protocol: "laic", generateId: () => String(id++) });
      return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    };
    const summary = (list: ReturnType<typeof events>) => {
      const texts = { text: "", reasoning: "", dropped: "", delta: "" };
      const calls: unknown[] = [];
      for (const event of list) {
        if (event.type === "call-delta") texts.delta += `${event.argumentsDelta}`;
        else if ("text" in event) texts[event.type] += event.text;
        else calls.push(event);
      }
      return { texts, calls };
    };
    fc.assert(
      fc.property(
        body,
        fc.constantFrom(' code="', "", '>{"code": "', " code='", " args=", "><code>"),
        (rest, begin) => {
          const text = `<call name="RS"${begin}${rest}" args="1"/>`;
          const whole = summary(events([text]));
          expect(summary(events([...text]))).toEqual(whole);
          expect(summary(events(text.match(/[\s\S]{1,3}/g) ?? []))).toEqual(whole);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each(['"', '" ', '"a=', "\\", '\\"', "&", "<", "<a", "=", "'", '">', '"/>', " "])(
    "reads any amount of %j in one pass",
    (sign) => {
      const long = sign.repeat(Math.ceil(2e5 / sign.length));
      const parser = createReplyParser({ tools, protocol: "laic" });
      parser.push('<call name="RS" code="x');
      for (let i = 0; i < long.length; i += 4096) parser.push(long.slice(i, i + 4096));
      const outside = createReplyParser({ tools, protocol: "laic" });
      outside.push('<call name="RS" ');
      for (let i = 0; i < long.length; i += 64) outside.push(long.slice(i, i + 64));
      expect(() => [parser.end(), outside.end()]).not.toThrow();
    },
    20_000,
  );
});
