import { describe, expect, it } from "vitest";
import { parseReply } from "../full/index.js";
import { protocols } from "../protocols/index.js";
import { validateJson } from "../schema/validate.js";
import { constraintFor, replySchema } from "./index.js";

const tools = [
  {
    name: "tree",
    parameters: {
      type: "object",
      properties: { left: { $ref: "#" }, size: { $ref: "#/$defs/size" } },
      required: ["size"],
      additionalProperties: false,
      $defs: { size: { type: "integer" } },
    },
  },
  { name: "now" },
];
const action = protocols["json-action"];
const fits = (schema: object, value: unknown) => validateJson(value, schema as { type: string }).length === 0;

describe("replySchema", () => {
  it("admits a call with a thought or without, or the final answer where the model may choose", () => {
    const call = { action: { tool: "tree", args: { left: { size: 1 }, size: 2 } } };
    const answer = { thought: "Done.", final: { content: "It is 2." } };
    const [auto, forced] = (["auto", "required"] as const).map((toolChoice) =>
      replySchema({ tools, protocol: action, toolChoice }),
    );
    for (const value of [call, { thought: "Hm.", ...call }, { action: { tool: "now", args: {} } }]) {
      expect([fits(auto!, value), fits(forced!, value)]).toEqual([true, true]);
      expect(parseReply(JSON.stringify(value), { tools, protocol: action }).toolCalls).toHaveLength(1);
    }
    expect([fits(auto!, answer), fits(forced!, answer)]).toEqual([true, false]);
    const wrong = [{ action: { tool: "no", args: {} } }, { action: { tool: "tree", args: { left: {}, size: 1 } } }, {}];
    expect(wrong.filter((value) => fits(auto!, value))).toEqual([]);
  });

  it("admits lists of calls, and single calls", () => {
    const call = { name: "now", arguments: {} };
    const list = replySchema({ tools, protocol: protocols["json-list"], toolChoice: "required", maxCalls: 2 });
    expect([list.type, list.minItems, list.maxItems]).toEqual(["array", 1, 2]);
    expect(fits({ type: "object", properties: { a: list.items }, $defs: list.$defs }, { a: call })).toBe(true);
    const one = replySchema({ tools, protocol: protocols["llama3-json"], toolChoice: { name: "now" } });
    expect([fits(one, { name: "now", parameters: {} }), fits(one, { name: "tree", parameters: {} })]).toEqual([
      true,
      false,
    ]);
  });

  it("moves references, but not data that looks like one", () => {
    const parameters = {
      type: "object",
      properties: {
        literal: { const: { $ref: "#/x" } },
        listed: { enum: [{ $ref: "#" }] },
        $ref: { type: "boolean" },
        anchored: { $ref: "#size" },
        identified: { $ref: "other#/$defs/flag" },
      },
      $defs: {
        size: { $anchor: "size", type: "integer", description: "How large." },
        other: { $id: "other", $defs: { flag: { type: "boolean" } } },
      },
      additionalProperties: false,
    };
    const schema = replySchema({ tools: [{ name: "t", parameters }], protocol: action, toolChoice: "required" });
    const admits = (args: object) => fits(schema, { action: { tool: "t", args } });
    const args = { literal: { $ref: "#/x" }, listed: { $ref: "#" }, $ref: true, anchored: 1, identified: true };
    expect(admits(args)).toBe(true);
    const wrong = [{ literal: { $ref: "#/$defs/tool-0/x" } }, { $ref: 1 }, { anchored: "1" }, { identified: 1 }];
    expect(wrong.filter(admits)).toEqual([]);
    expect(JSON.stringify(schema)).toContain("How large.");
  });

  it("takes tools of every shape", () => {
    const given = tools.map((tool) => ({ type: "function" as const, function: tool }));
    for (const toolChoice of ["auto", { name: "now" }] as const) {
      const expected = replySchema({ tools, protocol: action, toolChoice });
      expect(replySchema({ tools: given, protocol: action, toolChoice })).toEqual(expected);
      for (const backend of ["ollama", "openai", "llama.cpp", "vllm", "sglang"] as const) {
        const fields = constraintFor(backend, { tools, protocol: action, toolChoice });
        expect(constraintFor(backend, { tools: given, protocol: action, toolChoice })).toEqual(fields);
      }
    }
    expect(() => replySchema({ tools: [{ name: "" }], protocol: action, toolChoice: "auto" })).toThrow(
      expect.objectContaining({ name: "ToolDefinitionError" }),
    );
  });

  it("refuses a tool whose arguments nothing matches", () => {
    const never = [{ name: "never", parameters: false }];
    expect(() => replySchema({ tools: never, protocol: action, toolChoice: "required" })).toThrow(
      expect.objectContaining({ code: "parameters-not-object", tool: "never" }),
    );
  });

  it("refuses formats whose replies are not JSON", () => {
    for (const [name, toolChoice, words] of [
      ["hermes", "required", "A reply in hermes is not entirely JSON"],
      ["hermes", "auto", "A reply in hermes is not entirely JSON"],
      ["json-list", "auto", 'With the tool choice "auto" a reply in json-list may be text'],
    ] as const) {
      expect(() => replySchema({ tools, protocol: protocols[name], toolChoice })).toThrow(
        expect.objectContaining({ code: "unsupported", message: expect.stringContaining(words) }),
      );
    }
  });
});

describe("constraintFor", () => {
  it("gives the fields of each server's request", () => {
    const options = { tools, protocol: action, toolChoice: "auto" } as const;
    const schema = replySchema(options);
    expect(constraintFor("ollama", options)).toEqual({ format: schema });
    expect(constraintFor("openai", options)).toEqual({
      response_format: { type: "json_schema", json_schema: { name: "reply", schema, strict: false } },
    });
    // llama.cpp's server overwrites `grammar_lazy` in chat requests: a grammar that begins with a call would force one.
    const auto = { tools, protocol: protocols.hermes, toolChoice: "auto" } as const;
    expect(constraintFor("llama.cpp", { ...auto, lazy: true })).toEqual(constraintFor("llama.cpp", auto));
    expect(Object.keys(constraintFor("llama.cpp", options))).toEqual(["grammar"]);
    const text = (fields: object) => JSON.stringify(fields);
    expect(text(constraintFor("vllm", options))).toMatch(/^{"structured_outputs":{"grammar":"root ::= /);
    expect(text(constraintFor("sglang", options))).toMatch(/^{"ebnf":"root ::= /);
  });

  it("gives a structural tag if text is free, and a whole grammar if that is not possible", () => {
    const lazy = { tools, protocol: protocols.hermes, toolChoice: "auto", lazy: true } as const;
    const tag = { type: "structural_tag", format: { type: "triggered_tags", triggers: ["<tool_call>"] } };
    const { structured_outputs } = constraintFor("vllm", lazy) as { structured_outputs: { structural_tag: string } };
    expect(JSON.parse(structured_outputs.structural_tag)).toMatchObject(tag);
    expect(constraintFor("sglang", lazy)).toMatchObject({ response_format: tag });
    expect(Object.keys(constraintFor("sglang", { ...lazy, protocol: protocols.react }))).toEqual(["ebnf"]);
  });

  it("supports servers that read grammars with llguidance", () => {
    const options = {
      tools,
      protocol: protocols.hermes,
      toolChoice: "auto",
      lazy: true,
      engine: "llguidance",
    } as const;
    const lark = expect.stringMatching(/^%llguidance {}\nstart: /);
    expect(constraintFor("llama.cpp", options)).toEqual({ grammar: lark });
    expect(constraintFor("vllm", options)).toEqual({ structured_outputs: { grammar: lark } });
    expect(constraintFor("sglang", options)).toEqual({ ebnf: lark });
  });
});
