import { describe, expect, test } from "vitest";
import { everyBody } from "../../bodies/index.js";
import { createReplyParser } from "../../full/index.js";
import { protocols } from "../../protocols/index.js";
import { renderCalls } from "../../render.js";
import { isBodyOf } from "../../syntax/syntax.js";
import type { ToolDefinition } from "../../types.js";

// Calls in markup of which a part can be read in two ways, or belongs to no argument: they do not run.

const text = { type: "string" };
const tools: ToolDefinition[] = [
  {
    name: "send_mail",
    parameters: {
      type: "object",
      properties: {
        to: text,
        body: text,
        prio: { type: "integer" },
        tags: { type: "array", items: text },
        place: { type: "object", properties: { city: text } },
      },
      required: ["to"],
    },
  },
  { name: "post_note", parameters: { type: "object", properties: { text }, required: ["text"] } },
];

const markup = Object.values(protocols).filter(({ syntax }) =>
  syntax.call.some((part) => isBodyOf(part, "elements") || isBodyOf(part, "attributes")),
);

type Given = { name: string; protocol: (typeof markup)[number] };
const each: Given[] = markup.map((protocol) => ({ name: protocol.name, protocol }));

/** The arguments of the calls that run, and the codes of those that do not, the same in any chunks. */
function read(protocol: Given["protocol"], reply: string): unknown[] {
  const [whole, streamed] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event): unknown[] =>
      event.type === "call-end" ? [event.call.arguments] : event.type === "call-invalid" ? [event.call.error.code] : [],
    );
  });
  expect(streamed).toEqual(whole);
  return whole!;
}

const runs = (found: readonly unknown[]) => found.filter((call) => typeof call === "object");

const written = ({ syntax }: Given["protocol"], args: Record<string, unknown>) =>
  renderCalls(syntax, [{ name: "send_mail", arguments: args }], tools, everyBody);

describe.each(each)("a duplicate argument in $name", ({ protocol }) => {
  /** A call in which the second of two arguments has the name of the first. */
  const twice = (first: unknown, second: unknown, [key, other]: [string, string] = ["to", "body"]) => {
    const call = written(protocol, { [key]: first, [other]: second, ...(key === "to" ? {} : { to: "x" }) });
    return call.replace(new RegExp(`(?<=[<"=>\\s/])${other}(?=[<>"=:\\s])`, "g"), key);
  };

  test("makes no call if its values differ", () => {
    expect(read(protocol, twice("one", "two"))).toEqual(["invalid-arguments"]);
    expect(read(protocol, twice(1, 2, ["prio", "zip"]))).toEqual(["invalid-arguments"]);
    expect(read(protocol, twice({ city: "Rome" }, { city: "Bern" }, ["place", "zip"]))).toEqual(["invalid-arguments"]);
  });

  test("has its value if both are equal", () => {
    expect(read(protocol, twice("one", "one"))).toEqual([{ to: "one" }]);
    expect(read(protocol, twice(1, "1", ["prio", "zip"]))).toEqual([{ to: "x", prio: 1 }]);
  });
});

describe("an argument given as both attribute and element", () => {
  const laic = protocols.laic;
  const call = (inside: string) => read(laic, inside);

  test("makes no call if they differ", () => {
    expect(call('<call name="send_mail" to="one"><to>two</to></call>')).toEqual(["invalid-arguments"]);
    expect(call('<call name="send_mail" to="one" to="two"/>')).toEqual(["invalid-arguments"]);
    expect(call('<call name="send_mail" to="one">{"to": "two"}</call>')).toEqual(["invalid-arguments"]);
  });

  test("has its value if both are equal", () => {
    expect(call('<call name="send_mail" to="one"><to>one</to></call>')).toEqual([{ to: "one" }]);
    expect(call('<call name="send_mail" prio="1">{"prio": 1, "to": "x"}</call>')).toEqual([{ prio: 1, to: "x" }]);
  });
});

test("elements of one name are a list, even with others between them", () => {
  const list = "<send_mail><tags>a</tags><to>x</to><tags>b</tags></send_mail>";
  expect(read(protocols["tool-tags"], list)).toEqual([{ tags: ["a", "b"], to: "x" }]);
});

const elements = each.filter(({ protocol }) => protocol.syntax.call.some((part) => isBodyOf(part, "elements")));

describe.each(elements)("a value in $name", ({ protocol }) => {
  test("that is missing makes no call, with any text after its opening tag", () => {
    const call = written(protocol, { to: "FIRST", body: "SECOND" });
    const [before, rest] = call.split("FIRST");
    const tag = rest!.indexOf("<", rest!.indexOf("<") + 1);
    expect(runs(read(protocol, before + rest!.slice(tag)))).toEqual([]);
    const [start, end] = call.split("SECOND");
    const last = end!.indexOf("<", end!.indexOf("<") + 1);
    expect(runs(read(protocol, start + end!.slice(last)))).toEqual([]);
  });

  test("that contains the tag of its own argument, closed once, makes no call", () => {
    const call = written(protocol, { to: "FIRST", body: "x" });
    const [before = "", rest] = call.split("FIRST");
    const empty = written(protocol, { body: "x" });
    let same = 0;
    while (before[same] === empty[same]) same++;
    const opening = before.slice(before.lastIndexOf("<", same));
    expect(read(protocol, `${before}FIRST\n${opening}SECOND${rest}`)).toEqual(["malformed"]);
  });

  test("next to an object or a line with arguments makes no call without these", () => {
    const call = written(protocol, { to: "FIRST", prio: 1 });
    for (const lost of ['\n{"body": "x"}\n', "\nbody: x\n", "\nbody=x\n"]) {
      const at = call.indexOf(">", call.indexOf("<", call.indexOf("FIRST"))) + 1;
      const step = /^argument<\|sep\|>/.exec(call.slice(at))?.[0].length ?? 0;
      expect(read(protocol, call.slice(0, at + step) + lost + call.slice(at + step))).toEqual(["malformed"]);
    }
  });
});

describe("a tag that contains the value", () => {
  const wrap = (tag: string) => `<function=send_mail>\n${tag}\n</function>`;
  test.each([
    ["minimax-m2", '<invoke name="send_mail"><parameter name="to" value="a &amp; b"/></invoke>'],
    ["qwen3-coder", wrap('<parameter name="to" value="a &amp; b"/>')],
    ["tool-tags", '<send_mail><to value="a &amp; b"/></send_mail>'],
    ["tool-tags", '<send_mail><param name="to" value="a &amp; b"/></send_mail>'],
  ] as const)("is read in %s", (name, reply) => expect(read(protocols[name], reply)).toEqual([{ to: "a & b" }]));

  test.each([
    ["minimax-m2", '<invoke name="send_mail"><parameter name="to" value="a">b</parameter></invoke>'],
    ["minimax-m2", '<invoke name="send_mail"><parameter name="to" body="a">b</parameter></invoke>'],
    ["qwen3-coder", wrap('<parameter name="to" value="a">b</parameter>')],
    ["tool-tags", '<send_mail><to body="a">b</to></send_mail>'],
  ] as const)("makes no call in %s if there is another one", (name, reply) =>
    expect(read(protocols[name], reply)).toEqual(["malformed"]),
  );
});

describe("an ambiguous call", () => {
  test.each([
    [
      "an argument after an object",
      "glm45",
      '<tool_call>send_mail\n{"to":"a"}<arg_key>body</arg_key>\n<arg_value>x</arg_value></tool_call>',
    ],
    ["two objects", "laic", '<call name="send_mail" to="a">{"body":"x"}{"prio":1}</call>'],
    ["two names", "laic", '<call name="send_mail" name="post_note" to="a"/>'],
    [
      "two lists",
      "qwen3-coder",
      '<function=send_mail>\n<parameter=to>a</parameter>\n<parameter=tags>["a"]</parameter>\n<parameter=tags>["b"]</parameter>\n</function>',
    ],
    [
      "two values inside of an argument",
      "tool-tags",
      "<send_mail><to>a</to><place><city>Rome</city><city>Bern</city></place></send_mail>",
    ],
    [
      "an empty tag with an unknown attribute",
      "minimax-m2",
      '<invoke name="post_note"><parameter name="text" content="a"/></invoke>',
    ],
    ["an empty tag of its own with an unknown attribute", "tool-tags", '<post_note><text content="a"/></post_note>'],
    [
      "an attribute against an element",
      "tool-tags",
      '<send_mail><to>a</to><place city="Rome"><city>Bern</city></place></send_mail>',
    ],
  ] as const)("%s in %s", (_, name, reply) => expect(read(protocols[name], reply)).toEqual(["malformed"]));
});

test.each([
  ["minimax-m2", '<invoke name="post_note"><parameter name="text" value="a"/></invoke>'],
  ["deepseek-v4", '<｜DSML｜invoke name="post_note"><｜DSML｜parameter name="text" string="a"/></｜DSML｜invoke>'],
  ["deepseek-v4", '<｜DSML｜invoke name="post_note"><｜DSML｜invoke name="text" string="a"/></｜DSML｜invoke>'],
] as const)("an empty tag may have its value in an attribute, in %s", (name, reply) =>
  expect(read(protocols[name], reply)).toEqual([{ text: "a" }]),
);

test.each([8, 15, 16, 17, 24])(
  "a closing tag with a prefix of %i characters reads the same in any two chunks",
  (length) => {
    const text = `<tool_call>r</${"x".repeat(length)}:tool_call></tool_call><`;
    const kinds = (chunks: string[]) => {
      const prefill = "<tool_call>f<tool_sep><arg_key></arg_key>";
      const parser = createReplyParser({ tools: [{ name: "f" }], protocol: "hunyuan-v3", accept: "own", prefill });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      return events.map((event) => [event.type, event.type === "call-invalid" && event.call.error.code]);
    };
    const whole = kinds([text]);
    for (let i = 1; i < text.length; i++) expect(kinds([text.slice(0, i), text.slice(i)])).toEqual(whole);
  },
);
