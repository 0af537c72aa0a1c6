import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const formats = [
  ["gemma4", '<|"|>', "<|tool_call>call:", "<tool_call|>"],
  ["functiongemma", "<escape>", "<start_function_call>call:", "<end_function_call>"],
] as const;

describe.each(formats)("a key in %s between the format's own marks for strings", (protocol, mark, open, close) => {
  const marked = (text: string) => mark + text + mark;
  const call = (args: string) => readings(`${open}ship.order{${args}}${close}`, protocol);
  const wanted = [["ship.order", { depot: "a: b", boxes: 3 }]];

  test.each([
    ["alone", `${marked("depot")}:${marked("a: b")},${marked("boxes")}:3`],
    ["with spaces", ` ${marked("depot")} : ${marked("a: b")} , ${marked("boxes")} : 3 `],
    ["beside a bare key", `depot:${marked("a: b")},${marked("boxes")}:3`],
  ])("is that key, %s", (_, args) => expect(call(args)).toEqual(wanted));

  test("is a key in a nested object", () =>
    expect(readings(`${open}open_file{place:{${marked("city")}:${marked("Rome")}}}${close}`, protocol)).toEqual([
      ["open_file", { place: { city: "Rome" } }],
    ]));

  test("is no call without its colon", () => expect(call(`${marked("depot")} ${marked("a")}`)).toEqual(["malformed"]));

  test("is no call if it is never closed", () => expect(call(`${mark}depot:${marked("a")}`)).not.toEqual(wanted));
});
