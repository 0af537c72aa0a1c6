import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { key, schemaCases } from "../../../test/support/arbitrary-schema.js";
import { matcher } from "../../../test/support/gbnf-oracle.js";
import { everyBody } from "../../bodies/index.js";
import { amXml } from "../../protocols/am-xml.js";
import { protocols } from "../../protocols/index.js";
import { laic } from "../../protocols/laic.js";
import { renderCalls } from "../../render.js";
import type { Syntax } from "../../syntax/syntax.js";
import type { ToolDefinition } from "../../types.js";
import { toolCallGrammar } from "../index.js";

const jsonCall: Syntax = {
  parallel: true,
  call: ["<tool_call>\n", { body: "json-call", name: "name", arguments: "arguments" }, "\n</tool_call>"],
};
const named: Syntax = {
  parallel: true,
  call: ["<call><name>", { slot: "name" }, "</name><args>", { body: "json", escape: "markup" }, "</args></call>"],
};
const unmarked: Syntax = { parallel: false, call: [{ body: "json-call", name: "tool", arguments: "input" }] };

const element = laic().syntax;

const add: ToolDefinition = {
  name: "add",
  parameters: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
};
const now: ToolDefinition = { name: "now" };
const tools = [add, now];

const required = { tools, protocol: { syntax: jsonCall }, toolChoice: "required" as const };

describe("toolCallGrammar", () => {
  it("accepts few arguments in any order, and reports where it requires the order of the schema", async () => {
    const list = (count: number): ToolDefinition[] => {
      const keys = [..."abcdefgh"].slice(0, count);
      const properties = Object.fromEntries(keys.map((name) => [name, { type: "null" }]));
      return [{ name: "f", parameters: { type: "object", properties, additionalProperties: false } }];
    };
    const few = toolCallGrammar({ ...required, tools: list(3), protocol: "am-xml" });
    const matches = await matcher(few.grammar);
    expect(matches('<am:tool_call name="f"><c>null</c><a>null</a></am:tool_call>')).toBe(true);
    expect(matches('<am:tool_call name="f"><c>null</c><c>null</c></am:tool_call>')).toBe(false);
    expect(few.narrowed).toEqual([]);
    const many = toolCallGrammar({ ...required, tools: list(8), protocol: protocols.pythonic });
    expect((await matcher(many.grammar))("[f(b=None, a=None)]")).toBe(false);
    expect(many.narrowed).toEqual([{ tool: "f", path: "", keyword: "properties" }]);
  });

  describe("if arguments are written separately", () => {
    const integer = { type: "integer" };
    const of = (parameters: Record<string, unknown>, protocol: keyof typeof protocols = "am-xml") =>
      toolCallGrammar({ ...required, tools: [{ name: "f", parameters: { type: "object", ...parameters } }], protocol });
    const gap = (path: string, keyword: string) => ({ tool: "f", path, keyword });

    it.each<[string, Record<string, unknown>]>([
      ["is false", { properties: { a: false, b: integer }, required: ["a"] }],
      ["is not declared and so not allowed", { required: ["a"], additionalProperties: false }],
    ])("makes no grammar without a required key whose value %s", (_, parameters) => {
      for (const protocol of ["am-xml", "pythonic"] as const)
        expect(() => of(parameters, protocol)).toThrow(
          expect.objectContaining({ code: "unsatisfiable", path: "", keyword: "required" }),
        );
    });

    it("reports overlapping alternatives, and other keywords of the whole that it does not enforce", () => {
      const oneOf = [{ properties: { a: integer, b: {} } }, { properties: { b: integer } }, { properties: { c: {} } }];
      expect(of({ oneOf: [...oneOf, {}, {}] }).unenforced).toEqual([gap("", "oneOf")]);
      expect(of({ properties: { a: integer }, not: { const: { a: 1 } } }).unenforced).toEqual([gap("", "not")]);
    });

    it("reports the keys and alternatives that it omits", () => {
      expect(of({ anyOf: [{ const: { a: 1 } }, { properties: {}, additionalProperties: false }] }).narrowed).toEqual([
        gap("", "anyOf"),
      ]);
      const { narrowed } = of({ patternProperties: { "^a": integer }, additionalProperties: false });
      expect(narrowed).toEqual([gap("", "patternProperties")]);
    });

    it("reports listed values that it omits because the format cannot write them", async () => {
      const properties = { way: { enum: ["left", "</parameter>"] } };
      const { grammar, narrowed } = of({ properties, required: ["way"], additionalProperties: false }, "qwen3-coder");
      expect(narrowed).toEqual([gap("/properties/way", "enum")]);
      const matches = await matcher(grammar);
      const call = (way: string) =>
        `<tool_call>\n<function=f>\n<parameter=way>\n${way}\n</parameter>\n</function>\n</tool_call>`;
      expect(["left", "</parameter>"].map((way) => matches(call(way)))).toEqual([true, false]);
    });

    it("does not report parameters as unsatisfiable that only this format cannot write", () => {
      expect(() => of({ properties: { a: integer }, minProperties: 2 })).toThrow(
        expect.objectContaining({ code: "unsupported" }),
      );
    });

    it("names the place of what it narrows within nested elements", () => {
      const properties = Object.fromEntries([..."abcdef"].map((key) => [key, integer]));
      const inner = { type: "object", properties, additionalProperties: false };
      const { narrowed } = of({ properties: { o: inner }, additionalProperties: false }, "minicpm5");
      expect(narrowed).toEqual([gap("/properties/o", "properties")]);
    });
  });

  it("writes arrays and objects as nested elements if the format does", async () => {
    const parameters = {
      type: "object",
      properties: {
        tags: { type: "array", items: { type: "string" }, maxItems: 2 },
        at: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } }, required: ["x"] },
      },
      additionalProperties: false,
    };
    const tool: ToolDefinition = { name: "f", parameters };
    const protocol = amXml({ structured: "nested" });
    const { grammar } = toolCallGrammar({ tools: [tool], protocol, toolChoice: "required" });
    const matches = await matcher(grammar);
    const admitted = [{ tags: ["a", "<b>"], at: { y: 1, x: -2.5 } }, { tags: [], at: { x: 1 } }, { at: { x: 0 } }].map(
      (args) => [args, matches(renderCalls(protocol.syntax, [{ name: "f", arguments: args }], [tool], everyBody))],
    );
    expect(admitted.filter(([, is]) => !is)).toEqual([]);
    const call = (inside: string) => `<am:tool_call name="f">${inside}</am:tool_call>`;
    const wrong = ["<tags><item>a</item><item>b</item><item>c</item></tags>", "<at><y>1</y></at>", "<at>{}</at>"];
    expect(wrong.filter((inside) => matches(call(inside)))).toEqual([]);
  });

  it("refuses a grammar that is not exact if the options say so", () => {
    const parameters = { type: "object", properties: { a: { type: "array", uniqueItems: true } } };
    const options = { ...required, tools: [{ name: "f", parameters }] };
    expect(() => toolCallGrammar({ ...options, onUnenforced: "error" })).toThrow(
      expect.objectContaining({ code: "unenforced", tool: "f", path: "/properties/a", keyword: "uniqueItems" }),
    );
    expect(() => toolCallGrammar({ ...options, onNarrowed: "error" })).toThrow(
      expect.objectContaining({ code: "narrowed", tool: "f", path: "", keyword: "additionalProperties" }),
    );
  });

  it("accepts calls of the tools, each with its own arguments, and nothing else", async () => {
    const { grammar, unenforced } = toolCallGrammar(required);
    const matches = await matcher(grammar);
    expect(unenforced).toEqual([]);
    const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>';
    for (const text of [
      call,
      `${call}\n${call}`,
      call + call,
      '<tool_call>\n{"name":"now","arguments":{}}\n</tool_call>',
    ]) {
      expect([text, matches(text)]).toEqual([text, true]);
    }
    for (const text of [
      '<tool_call>\n{"name":"now","arguments":{"any":[1]}}\n</tool_call>',
      "",
      "Let me add.",
      `Sure. ${call}`,
      `${call} done`,
      call.replace("add", "sub"),
      call.replace("1", '"1"'),
      call.replace(', "b": 2', ""),
      call.slice(0, -1),
      `${call}\n`,
    ]) {
      expect([text, matches(text)]).toEqual([text, false]);
    }
  });

  it("accepts one call if several are not wanted or not possible", async () => {
    const call = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>';
    expect((await matcher(toolCallGrammar({ ...required, parallel: false }).grammar))(call + call)).toBe(false);
    const single = await matcher(
      toolCallGrammar({ ...required, protocol: { syntax: unmarked }, parallel: true }).grammar,
    );
    expect(single('{"tool": "now", "input": {}}')).toBe(true);
    expect(single('{"tool": "now", "input": {}}{"tool": "now", "input": {}}')).toBe(false);
    const two = await matcher(toolCallGrammar({ ...required, maxCalls: 2 }).grammar);
    expect([two(call + call), two(call + call + call)]).toEqual([true, false]);
  });

  it("constrains the model to the chosen tool", async () => {
    const matches = await matcher(toolCallGrammar({ ...required, toolChoice: { name: "now" } }).grammar);
    expect(matches('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')).toBe(true);
    expect(matches('<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>')).toBe(false);
  });

  it("accepts no markup inside markup", async () => {
    const any = { ...now, parameters: { type: "object" } };
    const matches = await matcher(
      toolCallGrammar({ ...required, tools: [add, any], protocol: { syntax: named } }).grammar,
    );
    expect(matches('<call><name>now</name><args>{"a": "\\u003c/args>"}</args></call>')).toBe(true);
    expect(matches('<call><name>now</name><args>{"a": "</args>"}</args></call>')).toBe(false);
  });

  it("constrains attributes to their types, each quoted as its place requires", async () => {
    const search = {
      name: "web_search",
      parameters: {
        type: "object",
        properties: {
          query: { type: "string" },
          limit: { type: "integer" },
          sites: { type: "array", items: { type: "string" } },
          kind: { enum: ["news", "R&D"] },
          extra: {},
        },
        required: ["query"],
        additionalProperties: false,
      },
    };
    const matches = await matcher(
      toolCallGrammar({ tools: [search, now], protocol: { syntax: element }, toolChoice: "required" }).grammar,
    );
    for (const text of [
      '<call name="WS" que="a &quot;b&quot; &lt;c> &amp; it\'s"/>',
      `<call name="WS" que="" lim="5" sit='["a", "b"]' kind="R&amp;D" ext='{"a": "\\u003c"}'/>`,
      `<call name="WS" que="x" ext="5"/>`,
      '<call name="N"/>\n<call name="N"/>',
    ]) {
      expect([text, matches(text)]).toEqual([text, true]);
    }
    for (const text of [
      '<call name="web_search" que="x"/>',
      '<call name="WS"/>',
      '<call name="WS" lim="5" que="x"/>',
      '<call name="WS" que="x" lim="five"/>',
      '<call name="WS" que="a "b""/>',
      '<call name="WS" que="a < b"/>',
      `<call name="WS" que="x" sit='["it's"]'/>`,
      '<call name="WS" que="x" kind="R&D"/>',
      '<call name="WS" que="x">',
    ]) {
      expect([text, matches(text)]).toEqual([text, false]);
    }
    const options = { tools: [search, now], protocol: { syntax: element }, toolChoice: { name: "web_search" } };
    const filled = await matcher(toolCallGrammar({ ...options, prefill: '<call name="WS"' }).grammar);
    expect([filled(' que="x"/>'), filled("/>")]).toEqual([true, false]);
  });

  it("continues the prefill of the reply", async () => {
    const options = { ...required, prefix: "<think>\n\n</think>\n\n" };
    const rest = '{"name": "now", "arguments": {}}\n</tool_call>';
    expect((await matcher(toolCallGrammar(options).grammar))(`${options.prefix}<tool_call>\n${rest}`)).toBe(true);
    const filled = await matcher(toolCallGrammar({ ...required, prefill: "<tool_call>\n" }).grammar);
    expect([filled(rest), filled(`<tool_call>\n${rest}`)]).toEqual([true, false]);
    const forced = toolCallGrammar({ ...required, prefill: '<tool_call>\n{"name": "add", "arguments":' });
    const args = await matcher(forced.grammar);
    const end = ' {"a": 1, "b": 2}}\n</tool_call>';
    expect([args(end), args(`${end}\n<tool_call>\n${rest}`), args(' {"a": 1}}\n</tool_call>')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(() => toolCallGrammar({ ...required, prefill: "Well" })).toThrow(
      expect.objectContaining({ code: "bad-prefill" }),
    );
  });

  it("accepts text, calls, or text followed by calls if the model may choose", async () => {
    const auto = { ...required, toolChoice: "auto" } as const;
    const { grammar, triggers } = toolCallGrammar(auto);
    const matches = await matcher(grammar);
    const one = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>';
    for (const text of ["", "It is noon < 1.", one, `Let me look.\n${one}`, `${one}\n${one}`]) {
      expect([text, matches(text)]).toEqual([text, true]);
    }
    for (const text of ["<tool_call>", '<tool_call>\n{"name": "no"', `${one} and more`, "<TOOL_CALL>"]) {
      expect([text, matches(text)]).toEqual([text, false]);
    }
    expect(triggers).toBeUndefined();
  });

  it("accepts no result that the model makes up: what begins like one can only become a call", async () => {
    const auto = { tools, protocol: "hermes", toolChoice: "auto" } as const;
    const matches = await matcher(toolCallGrammar(auto).grammar);
    for (const text of ["<tool_", "a < b", "<tool_answer>", "<Response>"]) {
      expect([text, matches(text)]).toEqual([text, true]);
    }
    for (const text of ["<tool_response>", "Well.\n<tool_response>12", "<tool_response_2>"]) {
      expect([text, matches(text)]).toEqual([text, false]);
    }
    const labelled: Syntax = { ...jsonCall, spans: [{ open: "Observation:", as: "dropped" }] };
    const line = await matcher(toolCallGrammar({ ...auto, protocol: { syntax: labelled } }).grammar);
    for (const text of ["An Observation: none.", "Observations: 2"]) expect([text, line(text)]).toEqual([text, true]);
    for (const text of ["Well.\nObservation: 12", "**OBSERVATION 2:** 12"]) {
      expect([text, line(text)]).toEqual([text, false]);
    }
  });

  it("accepts no text with the label of a call, except in a block quote", async () => {
    const matches = await matcher(toolCallGrammar({ tools, protocol: "react", toolChoice: "auto" }).grammar);
    for (const text of ["No action: none.", "Actions: none.", "> Action: now", "It says:\n> **Action:** now"])
      expect([text, matches(text)]).toEqual([text, true]);
    for (const text of [
      "**Action:** now.",
      "So:\n_Action:_ now.",
      "So:\n\u00a0# Action: now.",
      "- ACTION: now.",
      "Action 2: now.",
      "**Action** : now.",
    ])
      expect([text, matches(text)]).toEqual([text, false]);
  });

  it("accepts no text in which a one-line call may begin, even with its name on the next line", async () => {
    const line: Syntax = { parallel: true, at: "line", call: ["@", { slot: "name" }, " ", { body: "json" }] };
    const matches = await matcher(
      toolCallGrammar({ ...required, toolChoice: "auto", protocol: { syntax: line } }).grammar,
    );
    for (const text of ["Write to a@b.", "It is noon.\n@now {}"]) expect([text, matches(text)]).toEqual([text, true]);
    for (const text of ["@", "@\nnow {", "No.\n @ other {"]) expect([text, matches(text)]).toEqual([text, false]);
  });

  it("begins at a call and reports its triggers if it is lazy", async () => {
    const lazy = { ...required, toolChoice: "auto", lazy: true } as const;
    const { grammar, triggers } = toolCallGrammar(lazy);
    const one = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>';
    const matches = await matcher(grammar);
    expect([matches(one), matches("text"), triggers]).toEqual([true, false, [{ type: "word", value: "<tool_call>" }]]);
    const line: Syntax = { parallel: true, at: "line", call: ["@", { slot: "name" }, " ", { body: "json" }] };
    expect(toolCallGrammar({ ...lazy, tools: [now], protocol: { syntax: line } }).triggers).toEqual([
      { type: "pattern", value: "(?:^|\\n)[ \\t]*(@now )" },
    ]);
    expect(() => toolCallGrammar({ ...lazy, protocol: { syntax: unmarked } })).toThrow(
      expect.objectContaining({ code: "unsupported" }),
    );
  });

  it("is made once for each set of options", () => {
    const first = toolCallGrammar(required);
    expect(toolCallGrammar(required)).toBe(first);
    expect(toolCallGrammar({ ...required, toolChoice: { name: "now" } }).grammar).not.toBe(first.grammar);
    expect(toolCallGrammar({ ...required, prefix: "<think>" })).not.toBe(first);
  });

  it.each(["think", "s"])("refuses a tool whose element would be a marker: %s", (name) => {
    const tools = [{ name, parameters: { type: "object", properties: {} } }];
    expect(() => toolCallGrammar({ protocol: protocols["tool-tags"], tools, toolChoice: "required" })).toThrow(
      expect.objectContaining({ code: "unsupported" }),
    );
  });

  it("refuses unsupported input, with the reason", () => {
    const mapping: Syntax = {
      parallel: true,
      call: ["<", { slot: "name" }, ">\n", { body: "yaml" }, "</", { slot: "name" }, ">"],
    };
    const impossible = { name: "no", parameters: { type: "object", properties: { a: false }, required: ["a"] } };
    for (const [change, code] of [
      [{ toolChoice: "none" }, "unsupported"],
      [{ protocol: { syntax: mapping } }, "unsupported"],
      [{ tools: [] }, "no-tools"],
      [{ toolChoice: { name: "sub" } }, "unknown-tool"],
      [{ tools: [impossible] }, "unsatisfiable"],
    ] as const) {
      expect(() => toolCallGrammar({ ...required, ...change })).toThrow(
        expect.objectContaining({ code, name: "GrammarError" }),
      );
    }
  });

  it("names the tool whose schema it does not enforce in full", () => {
    const roll = { name: "roll", parameters: { type: "object", properties: { n: { not: { const: {} } } } } };
    const { unenforced, narrowed } = toolCallGrammar({ ...required, tools: [add, roll] });
    expect(unenforced).toEqual([{ tool: "roll", path: "/properties/n", keyword: "not" }]);
    expect(narrowed).toEqual([{ tool: "roll", path: "", keyword: "additionalProperties" }]);
  });

  it("reports that a format cannot write every text or every key", () => {
    const gaps = (protocol: keyof typeof protocols, schema: object) => {
      const parameters = { type: "object", properties: { a: schema }, additionalProperties: false };
      const tool: ToolDefinition = { name: "f", parameters };
      const { narrowed } = toolCallGrammar({ tools: [tool], protocol: protocols[protocol], toolChoice: "required" });
      return narrowed.map(({ path, keyword }) => `${path} ${keyword}`);
    };
    const text = { type: "string" };
    const free = { type: "object", additionalProperties: { type: "integer" } };
    expect(gaps("qwen3-coder", text)).toEqual(["/properties/a type"]);
    expect(gaps("tool-tags", text)).toEqual(["/properties/a type"]);
    expect(gaps("gemma4", free)).toEqual(["/properties/a additionalProperties"]);
    expect(gaps("gemma4", { type: "object" })).toEqual(["/properties/a additionalProperties"]);
    for (const schema of [text, free]) expect(gaps("hermes", schema)).toEqual([]);
    for (const schema of [text, free]) expect(gaps("am-xml", schema)).toEqual([]);
    expect(gaps("qwen3-coder", { enum: ["x", "y"] })).toEqual([]);
  });

  it.each(["2fa", "7", "日本", "_", "-", "___x", "root", "call"])(
    "has rules of valid names for a tool called %s",
    async (name) => {
      const tool: ToolDefinition = { name, parameters: { type: "object", properties: { [name]: { type: "string" } } } };
      const tools = [tool, add, { name: `${name}2` }];
      for (const protocol of Object.values(protocols)) {
        for (const toolChoice of ["required", "auto"] as const) {
          let text: string;
          let grammar: string;
          try {
            text = protocol.renderCalls([{ name, arguments: { [name]: "a" } }], { tools });
            grammar = toolCallGrammar({ tools, protocol, toolChoice }).grammar;
          } catch (error) {
            expect(error).toMatchObject({ name: expect.stringMatching(/^(Grammar|Render)Error$/) });
            continue;
          }
          expect((await matcher(grammar))(text), `${protocol.name}: ${text}`).toBe(true);
        }
      }
    },
  );

  it("accepts every rendered call", async () => {
    const tool = fc
      .tuple(key, schemaCases)
      .map(([name, { schema, values }]) => ({ name: `t_${name.replace(/\W/g, "")}`, schema, values }));
    const someCalls = fc
      .uniqueArray(tool, { minLength: 1, maxLength: 3, selector: ({ name }) => name })
      .chain((some) => {
        const calls = fc.array(fc.oneof(...some.map(({ name, values }) => values.map((value) => ({ name, value })))), {
          minLength: 1,
          maxLength: 3,
        });
        return calls.map((made) => ({ some, made }));
      });
    await fc.assert(
      fc.asyncProperty(
        someCalls,
        fc.constantFrom(jsonCall, named, unmarked, element),
        async ({ some, made }, syntax) => {
          const definitions = some.map(({ name, schema }) => ({ name, parameters: schema }));
          const calls = made.map(({ name, value }) => ({ name, arguments: value as Record<string, unknown> }));
          const text = renderCalls(syntax, syntax.parallel ? calls : calls.slice(0, 1), definitions, everyBody);
          const matches = await matcher(
            toolCallGrammar({ tools: definitions, protocol: { syntax }, toolChoice: "required" }).grammar,
          );
          expect([text, matches(text)]).toEqual([text, true]);
        },
      ),
    );
  });
});
