import { expect, it } from "vitest";
import { createReplyParser, getProtocol, parseReply, type ReplyEvent } from "../index.js";

const tools = [{ name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];

it.each(["|", "||", "｜", "｜｜"])("the marks of DSML are read the same in any pieces with the bar %s", (bar) => {
  const mark = `${bar}DSML${bar}`;
  const reply = `<${mark}tool_calls>\n<${mark}invoke name="weather">\n<${mark}parameter name="city" string="true">A</${mark}parameter>`;
  const whole = parseReply(reply, { protocol: "deepseek-v32", tools }).toolCalls.map((call) => call.arguments);
  const parser = createReplyParser({ protocol: "deepseek-v32", tools });
  const events: ReplyEvent[] = [...reply].flatMap((character) => parser.push(character));
  events.push(...parser.end());
  expect(events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []))).toEqual(whole);
});

it("an empty tag with two values is ambiguous", () => {
  const reply =
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="Oslo" value="Paris" />\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>';
  const { toolCalls, invalidToolCalls } = parseReply(reply, { protocol: "deepseek-v32", tools });
  expect([toolCalls, invalidToolCalls.length]).toEqual([[], 1]);
});

it("an argument may be named like the attribute for text", () => {
  const named = [
    { name: "f", parameters: { type: "object", properties: { string: { type: "string" }, a: { type: "string" } } } },
  ];
  const calls = [{ name: "f", arguments: { a: "x", string: "y" } }];
  for (const protocol of ["deepseek-v32", "deepseek-v4"] as const) {
    const written = getProtocol(protocol).renderCalls(calls, { tools: named });
    expect(parseReply(written, { protocol, tools: named }).toolCalls[0]?.arguments).toEqual({ a: "x", string: "y" });
  }
});
