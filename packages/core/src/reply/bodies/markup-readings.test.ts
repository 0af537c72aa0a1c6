import { describe, expect, test } from "vitest";
import { protocols } from "../../protocols/index.js";
import { renderCalls } from "../../render.js";
import { isBodyOf } from "../../syntax/syntax.js";
import type { ToolDefinition } from "../../types.js";
import { createReplyParser } from "../index.js";

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
    return events.flatMap((event) =>
      event.type === "call-end" ? [event.call.arguments] : event.type === "call-invalid" ? [event.call.error.code] : [],
    );
  });
  expect(streamed).toEqual(whole);
  return whole!;
}

const written = ({ syntax }: Given["protocol"], args: Record<string, unknown>) =>
  renderCalls(syntax, [{ name: "send_mail", arguments: args }], tools);

describe.each(each)("an argument that is given twice in $name", ({ protocol }) => {
  /** A call in which the second of two arguments has the name of the first. */
  const twice = (first: unknown, second: unknown, [key, other]: [string, string] = ["to", "body"]) => {
    const call = written(protocol, { [key]: first, [other]: second, ...(key === "to" ? {} : { to: "x" }) });
    return call.replace(new RegExp(`(?<=[<"=>\\s/])${other}(?=[<>"=:\\s])`, "g"), key);
  };

  test("is none where its values differ", () => {
    expect(read(protocol, twice("one", "two"))).toEqual(["malformed"]);
    expect(read(protocol, twice(1, 2, ["prio", "zip"]))).toEqual(["malformed"]);
    expect(read(protocol, twice({ city: "Rome" }, { city: "Bern" }, ["place", "zip"]))).toEqual(["malformed"]);
  });

  test("has its value where both say the same", () => {
    expect(read(protocol, twice("one", "one"))).toEqual([{ to: "one" }]);
    expect(read(protocol, twice(1, "1", ["prio", "zip"]))).toEqual([{ to: "x", prio: 1 }]);
  });
});

describe("an argument that is given as attribute and as element", () => {
  const laic = protocols.laic;
  const call = (inside: string) => read(laic, inside);

  test("is none where they differ", () => {
    expect(call('<call name="send_mail" to="one"><to>two</to></call>')).toEqual(["malformed"]);
    expect(call('<call name="send_mail" to="one" to="two"/>')).toEqual(["malformed"]);
    expect(call('<call name="send_mail" to="one">{"to": "two"}</call>')).toEqual(["malformed"]);
  });

  test("has its value where both say the same", () => {
    expect(call('<call name="send_mail" to="one"><to>one</to></call>')).toEqual([{ to: "one" }]);
    expect(call('<call name="send_mail" prio="1">{"prio": 1, "to": "x"}</call>')).toEqual([{ prio: 1, to: "x" }]);
  });
});

test("elements of one name are a list, also with others between them", () => {
  const list = "<send_mail><tags>a</tags><to>x</to><tags>b</tags></send_mail>";
  expect(read(protocols["tool-tags"], list)).toEqual([{ tags: ["a", "b"], to: "x" }]);
});
