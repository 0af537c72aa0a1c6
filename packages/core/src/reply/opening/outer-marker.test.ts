import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { Lookahead } from "../../notation/lookahead.js";
import { jsonCall, name } from "../../syntax/parts.js";
import { compileForms } from "../forms/forms.js";
import type { KnownTools } from "../forms/match-branch.js";
import type { Opening } from "../forms/opening.js";
import { OuterMarkers } from "./outer-marker.js";

const json = { body: "json" } as const;
const node = compileForms([
  { call: ["<calls>", name, json, "</calls>"] },
  { call: ["<call>", jsonCall, "</call>"] },
  {
    call: ['<invoke name="', name, '">', json, "</invoke>"],
    block: { open: "<block>", separator: "", close: "</block>" },
  },
  { call: ["@", name, json] },
]);
const call = (marker: string): Extract<Opening, { opens: "call" }> => ({
  marker,
  isTag: false,
  isWord: false,
  line: false,
  opens: "call",
  node,
});
const tools: KnownTools = {
  isTool: () => true,
  starts: ({ body }, look, at) => look.charAt(at) === "{" && body.startsWith("json"),
};

/** Whether a marker only wraps what follows it; `more`: more input is needed. */
function wraps(marker: string, rest: string, final = true): boolean | "more" {
  const look = new Lookahead({ text: `x${marker}${rest}`, final });
  const outer = new OuterMarkers({
    compiled: {
      markers: {
        at: (ahead, at) =>
          ["<call>", "<invoke", "<calls>"].map(call).find((each) => ahead.has(each.marker, at)) ??
          (ahead.has("{", at) ? { ...call("{"), keys: ["action"] } : undefined),
      },
      bodies: new Set<string>(),
    },
    toolElements: { anywhere: false, at: (ahead, at) => (ahead.has("<add>", at) ? call("<add>") : undefined) },
    calls: tools,
  });
  const found = outer.meaning(look, call(marker), 1);
  return look.hitEnd ? "more" : found.opens === "nothing";
}

describe("the marker of a call only wraps", () => {
  test.each([
    ["a call with a marker of its own", "<calls>", '<call>{"name"'],
    ["such a call after space", "<calls>", ' \n<invoke name="f">{'],
    ["a call that is an element named after its tool", "<calls>", "<add>1</add>"],
    ["a call of the form that it opens itself", "<calls>", "<calls>add{"],
  ])("%s", (_, marker, rest) => expect(wraps(marker, rest)).toBe(true));

  test.each([
    ["where one form has both", "<block>", '<invoke name="f">{'],
    ["before its own arguments", "<calls>", "add{"],
    ["before an object", "<call>", '{"action"'],
    ["before text", "<calls>", "text"],
    ["before another element", "<calls>", "<b>"],
    ["after more space than any format has", "<calls>", `${" ".repeat(70)}<call>{`],
    ["where it is no tag", "@", "<call>{"],
    ["where no form begins with it", "<other>", "<call>{"],
    ["at the end of the reply", "<calls>", ""],
  ])("not %s", (_, marker, rest) => expect(wraps(marker, rest)).toBe(false));

  test("perhaps where the text ends", () => {
    expect([wraps("<calls>", "", false), wraps("<calls>", "<ca", false)]).toEqual(["more", "more"]);
    expect([wraps("<block>", "<invoke", false), wraps("<calls>", "<call>", false)]).toEqual(["more", true]);
  });
});

describe("a call's marker before the tag of another format that is no call", () => {
  const body = "<parameter city>\nOslo\n</parameter>\n</function>";
  test.each([`<function get_weather>\n${body}`, "<function x>", "<invoke>", "<call>x</call>"])(
    "begins a call that cannot be read: %s",
    (inside) => {
      for (const protocol of ["hermes", "qwen3-coder"] as const)
        expect(pieces(`<tool_call>\n${inside}\n</tool_call>\nWait.`, protocol)).toEqual([
          ["invalid", "malformed"],
          ["text", "Wait."],
        ]);
    },
  );
});

test.each(["<invoke>", "<function>", "<call>", '<function id="1">'])(
  "a call's marker before a tag without a tool's name, in which a call is, only wraps it: %s",
  (tag) => {
    const json = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
    const element = "<get_weather><city>Oslo</city></get_weather>";
    for (const [protocol, open, call] of [
      ["hermes", "tool_call", json],
      ["qwen3-coder", "tool_call", json],
      ["minimax-m2", "minimax:tool_call", json],
      ["apriel", "tool_calls", `[${json}]`],
      ["xml", "tool_call", element],
      ["laic", "tool_call", element],
    ] as const)
      expect(pieces(`<${open}>\n${tag}\n${call}\n</${/\w+/.exec(tag)?.[0]}>\n</${open}>`, protocol)).toContainEqual([
        "call",
        "get_weather",
      ]);
  },
);

test("an object in such a tag is the call of its marker, whatever follows", () => {
  const within = (json: string) => `<tool_call>\n<invoke id="1">\n${json}\n</invoke>\n</tool_call>`;
  const call = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
  for (const protocol of ["hermes", "qwen3-coder", "xml", "auto"] as const) {
    expect(pieces(`${within(call)}\nWait.`, protocol)).toEqual([
      ["call", "get_weather"],
      ["text", "Wait."],
    ]);
    const invalid = pieces(`${within('{"name": "get_weather", "arguments": {"city": }}')}\nWait.`, protocol);
    expect(invalid.filter(([kind]) => kind !== "dropped")).toEqual([
      ["invalid", "malformed"],
      ["text", "Wait."],
    ]);
    expect(pieces(`<think>Hm.\n${within(call)}`, protocol)).toContainEqual(["call", "get_weather"]);
  }
});
