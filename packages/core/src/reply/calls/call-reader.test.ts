import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const object = (a: number) => JSON.stringify({ name: "f", arguments: { a } });
const [first, second] = [1, 2].map((a) => ["f", { a }]);

describe("between the markers of a call", () => {
  test.each([
    ["several objects are as many calls", `${object(1)}\n${object(2)}`, [first, second]],
    ["a list of objects is as many calls", `[${object(1)}, ${object(2)}]`, [first, second]],
    ["a list without an object is no call", "[]", []],
    ["comments and CDATA sections have no effect", `<!-- one --><![CDATA[${object(1)}]]>`, [first]],
    ["so does a code fence", `\n\`\`\`json\n${object(1)}\n\`\`\`\n`, [first]],
    ["an extra bracket has no effect", `${object(1)}}`, [first]],
  ])("%s", (_, body, wanted) => expect(readings(`<tool_call>${body}</tool_call>`, "hermes")).toEqual(wanted));
});

describe("the closing markers of a call", () => {
  const call = "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n";

  test.each([
    ["in their order", "</function>\n</tool_call>"],
    ["without the first one", "</tool_call>"],
    ["without the last one", "</function>"],
    ["with a misspelled one", "</function>\n</tool_cal>"],
  ])("are read %s", (_, closers) => expect(readings(call + closers, "qwen3-coder")).toEqual([first]));

  test("end it before another one opens", () =>
    expect(readings(`${call}</function>\n${call.replace("1", "2")}</function>\n</tool_call>`, "qwen3-coder")).toEqual([
      first,
      second,
    ]));

  test("reject it if one is missing and an argument follows", () =>
    expect(readings(`${call}</tool_call>\n<parameter=b>\n2\n</parameter>`, "qwen3-coder")).toEqual(["malformed"]));
});
