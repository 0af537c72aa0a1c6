import { describe, expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";
import type { ProtocolName } from "../../protocols/index.js";

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

  test.each(["Action: None", "Action: N/A", "**Action:** none.", "Action: directly_answer"])(
    "is no call in the label %j alone",
    (line) => {
      for (const after of ["", "\nFinal Answer: It is warm."]) {
        const found = pieces(`Thought: I know it.\n${line}${after}`, "react");
        expect(found[1]).toEqual(["dropped", expect.stringContaining(line)]);
        expect(found.filter(([kind]) => kind === "text")).toEqual(after === "" ? [] : [["text", "It is warm."]]);
      }
    },
  );

  test.each<[string, ProtocolName | "auto"]>([
    ["Action: None of these help.", "react"],
    ["In short: Action: None", "react"],
    ["> Action: None", "react"],
    ["`Action: None`", "react"],
    ["Action: None", "hermes"],
    ["Action: None", "auto"],
    ["@None", "at-command"],
  ])("is text in %j of %s", (reply, protocol) => expect(pieces(reply, protocol)).toEqual([["text", reply]]));

  test("named Final Answer is the answer", () => {
    expect(pieces("Action: Final Answer\nAction Input: It is warm.", "react")).toEqual([["text", "It is warm."]]);
    expect(pieces('{"action": "Final Answer", "action_input": "It is warm."}', "json-action")).toEqual([
      ["text", "It is warm."],
    ]);
  });

  test.each<[string, ProtocolName]>([
    ['{"action": "none", "answer": "It is warm."}', "json-action"],
    ['{"action": null, "answer": "It is warm."}', "json-action"],
    ['{"action": {"tool": "None", "args": {}}, "answer": "It is warm."}', "json-action"],
    [hermes('{"name": "None", "arguments": {}, "answer": "It is warm."}'), "hermes"],
    [hermes('{"name": null, "arguments": {}, "response": "It is warm."}'), "hermes"],
  ])("with the answer beside it is that text: %s", (reply, protocol) => {
    expect(pieces(reply, protocol)).toEqual([["text", "It is warm."]]);
  });

  test("without a name is a mistake, if it has arguments or a text is all that it has", () => {
    for (const json of ['{"name": null, "arguments": {"city": "Oulu"}, "text": "Hi"}', '{"text": "Hi"}'])
      expect(pieces(hermes(json), "hermes")).toEqual([["invalid", "malformed"]]);
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
