import { describe, expect, test } from "vitest";
import { hermes, read, tools } from "../../../test/support/read.js";
import { collectReply, createReplyParser } from "../../index.js";

const weather = '{"name": "get_weather", "arguments": {"city": "Kyiv"}}';
const wanted = { toolCalls: [{ name: "get_weather", arguments: { city: "Kyiv" } }], invalidToolCalls: [], text: "" };
const element = (tag: string, inside = weather) => `<${tag}>${inside}</${tag}>`;

/** The reply, read whole and character by character. */
const bothWays = (text: string) => {
  const parser = createReplyParser({ tools, protocol: "hermes" });
  return [read(text), collectReply([...[...text].flatMap((character) => parser.push(character)), ...parser.end()])];
};

describe("an element around the JSON of a call", () => {
  test.each(["json", "JSON", "code", "tool", "function", "call", "invoke"])(
    "of any name, between the markers: %s",
    (tag) => {
      for (const reply of bothWays(hermes(element(tag)))) expect(reply).toMatchObject(wanted);
      for (const reply of bothWays(hermes(`<${tag}>\n${weather}\n</${tag}>`))) expect(reply).toMatchObject(wanted);
    },
  );

  test.each(["function", "call", "invoke"])("that names no tool, as the whole reply: %s", (tag) => {
    for (const reply of bothWays(element(tag))) expect(reply).toMatchObject(wanted);
    for (const text of [element(tag, "{}"), `${element(tag)} is how.`, element(tag, '{"name": "Ada"}')])
      for (const reply of bothWays(text)) expect(reply).toMatchObject({ toolCalls: [], text });
  });

  test("that lacks its closing tag", () => expect(read(hermes(`<json>${weather}`))).toMatchObject(wanted));

  test.each([
    ["a tool's name", hermes(element("write_file", '{"city": "Kyiv"}'))],
    ["the name of an argument", '<tool_call name="get_weather"><city>{"city": "Kyiv"}</city></tool_call>'],
  ])("is none with %s", (_, text) => expect(read(text).toolCalls).not.toMatchObject(wanted.toolCalls));
});
