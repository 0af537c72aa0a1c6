import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";

const pair = (key: string, value: string) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`;
const pairs = pair("depot", "a") + pair("boxes", "3");
const wanted = [["ship.order", { depot: "a", boxes: 3 }]];

describe("after the name of a call of GLM's", () => {
  test.each([
    ["a comment", `\n<!-- to the depot -->\n${pairs}`],
    ["each argument in an element of its name", "\n<depot>a</depot>\n<boxes>3</boxes>\n"],
    ["such elements on its line", "<depot>a</depot><boxes>3</boxes>"],
    ["one of them before pairs", `\n<depot>a</depot>\n${pair("boxes", "3")}`],
  ])("%s is read", (_, inside) => {
    for (const protocol of ["glm45", "auto", "hermes"] as const)
      expect(readings(`<tool_call>ship.order${inside}</tool_call>`, protocol)).toEqual(wanted);
  });

  test("another tag makes no call where no tool has the name", () =>
    expect(readings("<tool_call>name <b>in bold</b></tool_call>", "glm45")).toEqual(["malformed"]));

  test.each([
    ["an element of another name", "\n<place>a</place>\n"],
    ["an element and a pair with another value", `\n<depot>a</depot>\n${pair("depot", "b")}`],
    ["a value before its key", "\n<arg_value>a</arg_value>\n<arg_key>depot</arg_key>\n"],
  ])("%s makes no call", (_, inside) => {
    const found = readings(`<tool_call>ship.order${inside}</tool_call>`, "glm45");
    expect(found).toHaveLength(1);
    expect(typeof found![0]).toBe("string");
  });
});
