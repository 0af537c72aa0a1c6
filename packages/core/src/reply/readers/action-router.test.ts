import { describe, expect, test } from "vitest";
import { actionBody } from "../../../test/support/action-body.js";
import { callHost } from "../../../test/support/call-host.js";
import { emitValue } from "../../notation/value-sink.js";
import { ActionRouter } from "./action-router.js";

const add = { name: "add", parameters: { type: "object", properties: { a: { type: "integer" } } } };

/** The parts of a message. */
function route(message: object) {
  const { calls, ended } = callHost([add, { name: "final_word" }]);
  const answers: [string, unknown][] = [];
  const router = new ActionRouter(actionBody, calls, {
    reasoning: (text) => answers.push(["reasoning", text]),
    text: (text) => answers.push(["text", text]),
    value: (value) => answers.push(["value", value]),
  });
  emitValue(message, router);
  return { answers, calls: ended(), router };
}

describe("a message in one object", () => {
  test.each<[string, object, [string, unknown][], unknown[]]>([
    [
      "is a thought and a call",
      { thought: "So.", action: { tool: "add", args: { a: 1 } } },
      [["reasoning", "So."]],
      [["add", { a: 1 }]],
    ],
    ["is a call whose parts are its own", { tool: "add", args: { a: 1 } }, [], [["add", { a: 1 }]]],
    ["is a call in other spellings", { action: { name: "add", arguments: { a: 1 } } }, [], [["add", { a: 1 }]]],
    ["is a call as the action's text", { action: "add", args: { a: 1 } }, [], [["add", { a: 1 }]]],
    [
      "is an answer",
      { thought: "So.", final: { content: "It is 3." } },
      [
        ["reasoning", "So."],
        ["text", "It is 3."],
      ],
      [],
    ],
    ["is an answer as text", { final: "It is 3." }, [["text", "It is 3."]], []],
    ["is an answer that is another value", { final: { content: { sum: [3] } } }, [["value", { sum: [3] }]], []],
    ["is an answer that is a number", { final: 3 }, [["value", 3]], []],
    ["is an answer without the content's key", { final: { sum: 3 } }, [["value", { sum: 3 }]], []],
    [
      "has nothing beside the content of its answer",
      { final: { sum: 3, content: "It is 3." } },
      [["text", "It is 3."]],
      [],
    ],
    ["has an empty answer", { final: {} }, [["value", {}]], []],
    ["has a part that is null", { action: null, final: { content: "x" } }, [["text", "x"]], []],
    ["has a null answer beside its call", { action: { tool: "add" }, final: null }, [], [["add", {}]]],
    ["has a thought that is no text", { thought: 3, final: "x" }, [["text", "x"]], []],
  ])("%s", (_, message, answers, calls) => expect(route(message)).toMatchObject({ answers, calls }));

  test("is a call without a name if it is neither a call nor an answer", () => {
    for (const message of [{}, { thought: "So." }, { action: null }])
      expect(route(message).calls).toEqual([expect.stringContaining("names no tool")]);
  });

  test("is rejected for parentheses around more than one value", () => {
    const { calls, ended } = callHost([add]);
    const router = new ActionRouter(actionBody, calls, { reasoning() {}, text() {}, value() {} });
    router.begin("object");
    router.key("action");
    emitValue({ tool: "add", args: { a: 1 } }, router);
    router.key("final");
    router.begin("group");
    router.end("group");
    router.end("object");
    expect(ended()).toEqual([expect.stringContaining("parentheses")]);
  });

  test("expects its own keys, and perhaps others", () => {
    const { router } = route({ final: "x" });
    expect(["thought", "action", "tool", "args", "final", "content", "city"].map((key) => router.expects(key))).toEqual(
      [...Array(6).fill(true), undefined],
    );
  });
});
