import { expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";

const fence = "```";
const object = '{"name": "get_weather", "arguments": {"city": "Rome"}}';
const call = ["call", "get_weather"];

test("the end of a code fence before a call's closing marker is no text", () =>
  expect(pieces(`<tool_call>\n${object}\n${fence}\n</tool_call>`, "hermes")).toEqual([call]));

test("a fence after a call that does not end there is text", () =>
  expect(pieces(`<tool_call>\n${object}\n${fence}\nHello`, "hermes")).toEqual([call, ["text", `${fence}\nHello`]]));
