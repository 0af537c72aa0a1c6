import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";
import { isToken, tagNameOf } from "../../syntax/spelling.js";
import { formsOf, isBodyOf, isToolElement } from "../../syntax/syntax.js";

const args = { a: 1 };
const object = JSON.stringify({ name: "f", arguments: args });

/** The protocols with markup for each argument, and a rendered call without its arguments, split at their place. */
const written = (Object.keys(protocols) as ProtocolName[])
  .map((name) => ({ ...protocols[name], name }))
  .filter(({ syntax }) => syntax.call.some((part) => isBodyOf(part, "elements")) && !isToolElement(syntax))
  .map(({ name, syntax, renderCalls }) => {
    const tools = [{ name: "f", parameters: { type: "object" } }];
    const call = renderCalls([{ name: "f", arguments: {} }], { tools });
    const elements = syntax.call.findIndex((part) => isBodyOf(part, "elements"));
    const closer = String(syntax.call[elements + 1]).trim();
    const at = call.lastIndexOf(closer);
    return [name, call.slice(0, at), call.slice(at)] as const;
  });

describe("JSON in place of an argument's markup", () => {
  test.each(written)("is the arguments in %s", (protocol, open, close) => {
    for (const body of ['{"a": 1}', ' {"a": "1"} ', "\n{'a': 1,}\n"]) {
      expect(readings(open + body + close, protocol)).toEqual([["f", args]]);
    }
  });

  test.each(written)("is no call in %s if it is broken", (protocol, open, close) => {
    for (const body of ['{"a": 1, "a": 2}', '{"a": {"b" ~ 1}}']) {
      expect(readings(open + body + close, protocol)?.filter((reading) => typeof reading !== "string")).toEqual([]);
    }
  });
});

describe("JSON calls between the markers around all calls", () => {
  test.each([
    ["minimax-m2", "<minimax:tool_call>", "</minimax:tool_call>"],
    ["seed-oss", "<seed:tool_call>", "</seed:tool_call>"],
    ["deepseek-v32", "<｜DSML｜function_calls>", "</｜DSML｜function_calls>"],
    ["muse", "<atem:function_calls>", "</atem:function_calls>"],
  ] as const)("are calls in %s", (protocol, open, close) => {
    expect(readings(`${open}\n${object}\n${close}`, protocol)).toEqual([["f", args]]);
    expect(readings(`${open}${object}${object}${close}`, protocol)).toHaveLength(2);
    expect(readings(`${open}[${object}, ${object}]${close}`, protocol)).toHaveLength(2);
    // Seed-OSS has one pair of markers for each call, so an empty one is a call without a name.
    expect(readings(open + close, protocol)).toEqual(protocol === "seed-oss" ? ["malformed"] : []);
  });

  test.each(written)("is no call in %s if another object follows the arguments", (protocol, open, close) => {
    for (const more of ['{"b": 2}', object]) {
      expect(readings(`${open}{"a": 1}${more}${close}`, protocol)?.filter((one) => typeof one !== "string")).toEqual(
        [],
      );
    }
  });
});

/** The markers around a JSON call, its own or those of its block, in any protocol. */
const marked = (Object.keys(protocols) as ProtocolName[]).flatMap((protocol) =>
  formsOf(protocols[protocol].syntax).flatMap(({ at, block, call }) => {
    const isInBlock = call.length === 1 && block && tagNameOf(block.open) !== undefined;
    const [open, body, close = ""] = isInBlock ? [block.open, ...call, block.close] : call;
    if (at || (block && !isInBlock) || typeof open !== "string" || typeof close !== "string" || !isToken(open.trim()))
      return [];
    return isBodyOf(body, "json-call") ? [[protocol, open, close, body] as const] : [];
  }),
);

describe("in place of a JSON call between markers", () => {
  const order = ["ship.order", { depot: "north", boxes: 4 }];

  test.each(marked)("%s: Python is read between %j and %j", (protocol, open, close) => {
    for (const by of [protocol, "auto"] as const) {
      expect(readings(`${open}ship.order(depot="north", boxes=4)${close}`, by)).toEqual([order]);
      expect(readings(`So: ${open} ship.order(depot='north', boxes=2+2) ${close}`, by)).toEqual(["malformed"]);
      const list = `${open}[ship.order(depot="north", boxes=4), f(a=1)]${close}`;
      expect(readings(list, by)).toEqual([order, ["f", args]]);
    }
  });

  test.each(marked.filter(([, , close]) => close.trim().startsWith("</")))(
    "%s: YAML is read between %j and %j",
    (protocol, open, close, { name, arguments: key }) => {
      const lines = ["depot: north", "boxes: 4"];
      for (const by of [protocol, "auto"] as const) {
        expect(readings(`${open}\n${name}: ship.order\n${key}:\n  ${lines.join("\n  ")}\n${close}`, by)).toEqual([
          order,
        ]);
        expect(
          readings(`${open}\n${name}: ship.order\n${key}:\n  depot: north\n  depot: south\n${close}`, by)?.filter(
            isCall,
          ),
        ).toEqual([]);
      }
    },
  );
});

const isCall = (reading: unknown) => typeof reading !== "string";

/** The protocols with one JSON object between two tags or tokens, and these. */
const between = (Object.keys(protocols) as ProtocolName[]).flatMap((protocol) => {
  const { call, block } = protocols[protocol].syntax;
  const [open, body, close = ""] = call;
  const isAlone = typeof open === "string" && isToken(open.trim()) && isBodyOf(body, "json-call");
  return isAlone && !block && typeof close === "string" ? [[protocol, open, close] as const] : [];
});

describe("between the markers of a JSON call", () => {
  test.each(between)("in %s, the name may be before the arguments", (protocol, open, close) => {
    expect(readings(`${open}f\n{"a": 1}${close}`, protocol)).toEqual([["f", args]]);
    expect(readings(`${open}f {"a": 1}${close}`, protocol)).toEqual([["f", args]]);
    expect(readings(`${open}g\n{"a": 1}${close}`, protocol)).toEqual(["unknown-tool"]);
  });

  test.each(between.filter(([, open]) => tagNameOf(open.trim())))(
    "in %s, the tag may name the tool",
    (protocol, open, close) => {
      const tag = `<${tagNameOf(open.trim())} name="f">`;
      expect(readings(`${tag}{"a": 1}${close}`, protocol)).toEqual([["f", args]]);
      expect(readings(`${tag}<a>1</a>${close}`, protocol)).toEqual([["f", args]]);
      expect(readings(`${tag}{"b" ~ 1}${close}`, protocol)).not.toContainEqual(["f", expect.anything()]);
    },
  );

  test.each(between.filter(([, open]) => tagNameOf(open.trim())))(
    "in %s, a tag that a word ends is text",
    (protocol, open) => {
      const reply = `See ${open.trim().slice(0, -1)} element`;
      expect(pieces(reply, protocol)).toEqual([["text", reply]]);
    },
  );
});

describe("a list of Python calls", () => {
  test.each<[ProtocolName, string, string]>([
    ["apertus", "<|tools_prefix|>", "<|tools_suffix|>"],
    ["pangu", "[unused11]", "[unused12]"],
  ])("is read between the markers of a list in %s", (protocol, open, close) => {
    expect(readings(`${open}[f(a=1), ping()]${close}`, protocol)).toEqual([
      ["f", args],
      ["ping", {}],
    ]);
    expect(readings(`${open}[f(a=1+1)]${close}`, protocol)).toEqual(["malformed"]);
  });

  test("is read between the tags of one call a line", () =>
    expect(readings("<function_calls>[f(a=1), f(b=2)]</function_calls>", "olmo3")).toEqual([
      ["f", args],
      ["f", { b: 2 }],
    ]));
});
