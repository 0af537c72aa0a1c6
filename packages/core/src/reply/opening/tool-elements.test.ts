import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import { readings } from "../../../test/support/readings.js";
import { createReplyParser } from "../../full/index.js";
import { protocols } from "../../protocols/index.js";
import { collectReply } from "../parse-reply.js";

const order = [["ship.order", { depot: "Oslo", boxes: 3 }]];
const elements = "<depot>Oslo</depot><boxes>3</boxes>";
const json = '{"depot": "Oslo", "boxes": 3}';

describe.each(["hermes", "xml", "am-xml", "qwen3-coder", "tool-tags", "auto"] as const)("in %s", (protocol) => {
  test.each(
    ["arguments", "args", "parameters", "params", "kwargs", "tool_input", "Arguments"].flatMap((tag) =>
      [json, elements, `\n${json}\n`].map((content) => `<ship.order>\n<${tag}>${content}</${tag}>\n</ship.order>`),
    ),
  )("a tag around the arguments is read in an element named after the tool: %s", (reply) =>
    expect(readings(reply, protocol)).toEqual(order),
  );

  test.each([
    "<ship.order>\n<parameter=depot>Oslo</parameter>\n<parameter=boxes>3</parameter>\n</ship.order>",
    '<ship.order><param name="depot">Oslo</param><param name="boxes">3</param></ship.order>',
    "<tool_call>\n<ship.order>\n<parameter=depot>\nOslo\n</parameter>\n<boxes>3</boxes>\n</ship.order>\n</tool_call>",
  ])("arguments are read that are named as in other formats: %s", (reply) =>
    expect(readings(reply, protocol)).toEqual(order),
  );
});

test.each([
  '<ship.order><input type="text"></ship.order>',
  "<ship.order><input>{</ship.order>",
  "<ship.order><b>Oslo</b></ship.order>",
  "It is\n<ship.order>\n<args>...</args>\n</ship.order>\nas you see.",
  "<ship.order><arguments>the arguments as JSON</arguments></ship.order>",
  "<ship.order><parameter=crates>3</parameter></ship.order>",
  '<ship.order><input name="depot"></ship.order>',
])("other markup in such an element is text in another format: %s", (reply) =>
  expect(readings(reply, "hermes")).toEqual([]),
);

test("a comment may come before the arguments in an element named after the tool", () => {
  const reply = `<ship.order><!-- to the depot -->${elements}</ship.order>`;
  expect(readings(reply, "tool-tags")).toEqual(order);
  expect(readings(reply, "hermes")).toEqual([]);
});

describe.each(["tool-tags", "yaml"] as const)("an element named after a tool, in %s", (protocol) => {
  test.each([
    "<b><f></b> returns a number.",
    "<ul>\n<li><f></li>\n<li><ship.order></li>\n</ul>",
    "<tools>\n<f>\n</tools>",
    "<f></div>",
    "<f></ship.order>",
    "<f></g>",
    "<b><read_meter></b> and <b></read_meter></b> are tags.",
    "The tag is\n<read_meter></s>",
    "The tag <read_meter></room> has one argument.",
  ])("is text where the closing tag is another element's: %s", (reply) =>
    expect(readings(reply, protocol)).toEqual([]),
  );

  test.each([
    "<now>\n</tool>",
    "<now></function>",
    "<tool_call>\n<now>\n</tool_call>",
    "<now></Now>",
    "<now></x:call>",
    "<now></parameters></now>",
    "<now>\n</arguments>\n</now>",
    "<now></args></now>",
    "<now>\n</result>\n</now>",
    "<now>\n</no",
    "<now>\n</",
  ])("is a call where that of a call, or of its arguments, closes it: %s", (reply) =>
    expect(pieces(reply, protocol).filter(([kind]) => kind !== "dropped")).toEqual([["call", "now"]]),
  );

  test.each([
    "<run_job>\n</run_jo>",
    "<run_job>\n</run_jobs>",
    "<run_job></|run_job|>",
    "<run_job></cmd>ls</cmd></run_job>",
  ])("is a call, here without its argument, where a misspelt tag or an argument's closes it: %s", (reply) =>
    expect(readings(reply, protocol)).toEqual(["malformed"]),
  );
});

describe.each(["tool-tags", "yaml"] as const)("in %s, a tool named like a tag of other formats", (protocol) => {
  test.each(["function", "call", "tool_call", "invoke"])(
    "takes any arguments if its schema declares none: %s",
    (name) => {
      const tools = [{ name, parameters: { type: "object" } }];
      const args = { a: "x", b: { c: [1, "d"] } };
      const reply = protocols[protocol].renderCalls([{ name, arguments: args }], { tools });
      for (const chunks of [[reply], [...reply]]) {
        const parser = createReplyParser({ tools, protocol });
        const found = collectReply([...chunks.flatMap((chunk) => [...parser.push(chunk)]), ...parser.end()]);
        expect(found).toMatchObject({ text: "", toolCalls: [{ name, arguments: args }] });
      }
    },
  );
});
