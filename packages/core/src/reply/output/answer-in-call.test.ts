import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";

const call = (name: string, args: unknown) => JSON.stringify({ name, arguments: args });
const hermes = (json: string) => `<tool_call>${json}</tool_call>`;

describe("a call of no tool", () => {
  test.each(["None", "N/A", "directly_answer", "directly-answer"])("named %s is no call", (name) => {
    const reply = hermes(call(name, {}));
    expect(pieces(`Hello.\n${reply}`, "hermes")).toEqual([
      ["text", "Hello."],
      ["dropped", reply],
    ]);
  });

  test("is no call in the labels of ReAct", () =>
    expect(pieces("Action: None\nAction Input: None\nFinal Answer: Hello.", "react").at(-1)).toEqual([
      "text",
      "Hello.",
    ]));

  test("named Final Answer is the answer", () => {
    expect(pieces("Action: Final Answer\nAction Input: It is warm.", "react")).toEqual([["text", "It is warm."]]);
    expect(pieces('{"action": "Final Answer", "action_input": "It is warm."}', "json-action")).toEqual([
      ["text", "It is warm."],
    ]);
  });

  test("beside a call leaves that call alone", () => {
    const reply = hermes(call("None", {})) + hermes(call("get_weather", { city: "Oulu" }));
    expect(pieces(reply, "hermes").map(([kind]) => kind)).toEqual(["dropped", "call"]);
  });

  test("with arguments, or with another name, is a mistake", () => {
    expect(pieces(hermes(call("None", { city: "Oulu" })), "hermes")).toEqual([["invalid", "unknown-tool"]]);
    expect(pieces(hermes(call("Final Answer", { city: "Oulu", days: 2 })), "hermes")).toEqual([
      ["invalid", "unknown-tool"],
    ]);
    expect(pieces(hermes(call("no_weather", {})), "hermes")).toEqual([["invalid", "unknown-tool"]]);
  });
});
