import { describe, expect, test } from "vitest";
import { jsonBody } from "../../bodies/json.js";
import { Lookahead } from "../../notation/lookahead.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";
import { jsonAction } from "../../protocols/json-action.js";
import { ToolTable } from "../arguments/tool-table.js";
import { compile } from "./compile.js";
import type { Markers } from "./marker-index.js";

const all = protocols;
const of = (name: ProtocolName, accept: "any" | "own" | "none" = "own") => compile(all, all[name], accept);
const openerIn = (markers: Markers, text: string) => {
  const look = new Lookahead({ text, final: true });
  const found = markers.at(look, 0) ?? markers.atLine(look, 0);
  return found?.opens === "nothing" ? found.where : found?.opens;
};

describe("the forms of a parser", () => {
  test("are compiled once for each protocol and what it accepts", () => {
    expect(of("hermes")).toBe(of("hermes"));
    expect(of("hermes")).not.toBe(of("hermes", "any"));
    expect(of("hermes")).not.toBe(of("xml"));
    expect(compile(all, "auto", "any")).toBe(compile(all, "auto", "any"));
    expect(compile({}, all.hermes, "own")).not.toBe(of("hermes"));
  });

  test("are those of the protocol alone, of all, or none", () => {
    const functions = "<function=f>";
    expect(openerIn(of("hermes").markers, functions)).toBeUndefined();
    expect(openerIn(of("hermes", "any").markers, functions)).toBe("call");
    expect(openerIn(of("qwen3-coder").markers, functions)).toBe("call");
    const none = of("hermes", "none");
    expect([openerIn(none.markers, "<tool_call>{"), none.bare]).toEqual([
      undefined,
      { own: undefined, any: undefined },
    ]);
  });

  test("begin with those of the requested protocol", () => {
    const asked = of("hermes", "any").forms.branches.filter((branch) => branch.asked);
    expect(asked.map(({ token }) => token)).toEqual([{ kind: "literal", text: "<tool_call>" }]);
    expect(compile(all, "auto", "any").forms.branches.some((branch) => branch.asked)).toBe(false);
  });

  test("have a marker, unless calls are the whole reply or begin it", () => {
    const { bare, forms } = of("pythonic");
    expect([bare.own?.branches.map(({ token }) => token.kind), bare.any === undefined]).toEqual([
      ["literal", "literal", "name"],
      false,
    ]);
    expect(
      forms.branches.every(({ token }) => token.kind === "literal" && token.text.startsWith("<|python_start|>")),
    ).toBe(true);
    expect([of("hermes").bare.own, of("hermes").bare.any]).toEqual([undefined, undefined]);
    expect([of("xml").atStart?.branches.map(({ token }) => token), of("hermes").atStart]).toEqual([
      [{ kind: "literal", text: "<name>" }],
      undefined,
    ]);
  });

  test("include bare JSON where any format counts and a protocol brings its reader", () => {
    const kinds = (node: ReturnType<typeof of>["bare"]["any"]) => node?.branches.map(({ token }) => token.kind) ?? [];
    expect(kinds(compile({}, all.hermes, "any").bare.any)).toContain("body");
    expect(compile({}, all.hermes, "own").bare.any).toBeUndefined();
    expect(compile({}, all.glm45, "any").bare.any).toBeUndefined();
  });
});

describe("what a parser knows of the requested protocol", () => {
  test("its own markers, and Python", () => {
    expect(of("hermes", "any").ownMarkers).toEqual(new Set(["<tool_call>", "<|im_start|>", "[TOOL_REQUEST]"]));
    const flags = (name: ProtocolName) => [of(name).writesPython, of(name).isPython];
    expect([flags("pythonic"), flags("olmo3"), flags("glm45")]).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  test("how calls begin that have no marker but the tool's name", () => {
    expect(of("pythonic").nameStarts).toEqual([
      { before: "", after: "(" },
      { before: "", after: "(" },
    ]);
    expect([of("hermes").nameStarts, of("pythonic", "none").nameStarts]).toEqual([[], []]);
  });

  test("calls whose markers are the tools' names", () => {
    const tools = ToolTable.of([{ name: "add" }]);
    expect(of("tool-tags").toolElements(tools)?.anywhere).toBe(true);
    expect(of("hermes", "any").toolElements(tools)?.anywhere).toBe(false);
    expect(of("hermes").toolElements(tools)).toBeUndefined();
  });

  test("the messages of a reply, and what follows the header of a call", () => {
    const { messages } = of("harmony");
    expect(messages?.open).toContain("<|start|>");
    expect(messages?.bodies.branches.length).toBeGreaterThan(0);
    expect(of("hermes").messages).toBeUndefined();
    const closers = messages?.bodies.branches.flatMap(({ node }) => node.literals);
    expect(closers).toEqual(expect.arrayContaining(messages?.close ?? []));
  });

  test("that a reply must be exactly one object, if calls are read", () => {
    const strict = jsonAction({ mode: "strict" });
    expect(of("json-action").check).toBeUndefined();
    expect(compile(all, strict, "any").check).toBeDefined();
    expect(compile(all, strict, "none").check).toBeUndefined();
  });
});

describe("markers of other protocols", () => {
  test("count as tokens, and as tags only in the requested one", () => {
    expect(openerIn(of("hermes", "any").markers, "<|end_of_msg|>")).toBe("anywhere");
    expect(openerIn(of("hermes").markers, "<|end_of_msg|>")).toBeUndefined();
    expect(openerIn(of("minimax-m2").markers, "<response>")).toBe("span");
    expect(openerIn(of("hermes", "any").markers, "<response>x")).toBeUndefined();
  });

  test("close calls after which none is open", () => {
    expect(openerIn(of("hermes").markers, "</tool_call>")).toBe("after-call");
    expect(openerIn(of("hermes").markers, "</invoke>")).toBeUndefined();
    expect(openerIn(of("hermes", "any").markers, "</invoke>")).toBe("after-call");
  });

  test("are known as the tags of calls, even if only the requested one is read", () => {
    const { opensCalls } = of("hermes");
    expect(["tool_call", "invoke", "minimax:tool_call", "city"].map(opensCalls)).toEqual([true, true, true, false]);
    expect(compile({}, all.hermes, "own").opensCalls("invoke")).toBe(false);
  });
});

describe("a protocol without the reader of one of its bodies", () => {
  const syntax = {
    parallel: true,
    call: ["<c>", { body: "json-call", name: "name", arguments: "arguments" } as const, "</c>"],
  };
  const lacking = { ...all.hermes, bodies: [jsonBody], syntax };

  test("is refused, unless another one brings it", () => {
    expect(() => compile({}, lacking, "own")).toThrow(expect.objectContaining({ code: "unknown-body" }));
    expect(compile({ hermes: all.hermes, lacking }, lacking, "own").bodies.has("json-call")).toBe(true);
  });
});
