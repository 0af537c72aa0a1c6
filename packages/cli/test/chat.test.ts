import { readFileSync } from "node:fs";
import { ToolConversation } from "@toolingua/core/conversation";
import { describe, expect, test } from "vitest";
import { call } from "./support/chat-model.js";
import { CTRL_C, CTRL_D, house, pressed, read, scratchFile, set, talked } from "./support/chat-runs.js";
import type { TerminalOptions } from "./support/processes.js";

describe("a chat in a terminal", () => {
  test("streams, runs read-only tools, shows calls and results, and ends with Ctrl-D", async () => {
    const { code, shown, requests } = await talked([read, "It is 19 degrees."], house, [
      [/> $/, "How warm is the kitchen?\r"],
      [/It is 19 degrees\.[\s\S]*> $/, CTRL_D],
    ]);
    expect(code).toBe(0);
    expect(shown).toContain("qwen2.5:7b, wire format hermes (by its name); 4 tools, 3 ask before they run.");
    expect(shown).toMatch(/→ read_temperature \{"room":"kitchen"\}\n← 19 degrees\nIt is 19 degrees\.\n/);
    expect(requests[1]?.messages.at(-1)?.content).toContain("19 degrees");
  });

  test.each([
    ["approved", [[/reject it\s*$/, pressed("y")]], "set to 21 degrees", /→ set_temperature.*\n← set to 21 degrees/],
    [
      "edited, at first to what does not match",
      [
        [/reject it\s*$/, pressed("e")],
        [/arguments: .*21\}/, "\u007f\u007f\u007f90}\r"],
        [/do not match set_temperature[\s\S]*reject it\s*$/, pressed("e")],
        [/do not match[\s\S]*arguments: .*21\}/, "\u007f\u007f\u007f24}\r"],
      ],
      "set to 24 degrees",
      /← set to 24 degrees/,
    ],
    [
      "approved after all, when Escape has led back from its arguments and from the reason",
      [
        [/reject it\s*$/, pressed("e")],
        [/arguments: .*21\}/, "x\r"],
        [/must be a JSON object\. Escape leads back\.[\s\S]*arguments: .*x/, "\u001b"],
        [/leads back[\s\S]*reject it\s*$/, pressed("n")],
        [/Why\? The model sees your answer\./, "\u001b"],
        [/sees your answer[\s\S]*reject it\s*$/, pressed("y")],
      ],
      "set to 21 degrees",
      /← set to 21 degrees/,
    ],
    [
      "approved after all, when its edited arguments would have lost a digit or a value",
      [
        [/reject it\s*$/, pressed("e")],
        [/arguments: .*21\}/, '\u007f, "id": 12345678901234567890}\r'],
        [
          /The number 12345678901234567890 has too many digits to be kept[\s\S]*back\.[\s\S]*arguments: .*7890\}/,
          `${"\u007f".repeat(27)}"room": "bedroom"}\r`,
        ],
        [/The key "room" comes twice, with different values\.[\s\S]*arguments: .*bedroom"\}/, "\u001b"],
        [/comes twice[\s\S]*reject it\s*$/, pressed("y")],
      ],
      "set to 21 degrees",
      /← set to 21 degrees/,
    ],
    [
      "rejected, with a reason",
      [
        [/reject it\s*$/, pressed("n")],
        [/Why\? The model sees your answer\./, "Too warm.\r"],
      ],
      "Too warm.",
      /Done\./,
    ],
  ] satisfies [string, NonNullable<TerminalOptions["on"]>, string, RegExp][])(
    "a call that may change something is %s",
    async (_, keys, told, seen) => {
      const { code, shown, requests } = await talked(
        [set, "Done."],
        [...house, "Heat the kitchen."],
        [...keys, [/Done\.[\s\S]*> $/, CTRL_D]],
      );
      expect(code).toBe(0);
      expect(shown).toContain('"degrees": 21');
      expect(shown).toMatch(seen);
      expect(requests[1]?.messages.at(-1)?.content).toContain(told);
    },
  );

  test("calls of a permanently approved tool do not wait again", async () => {
    const again = call("set_temperature", { room: "bedroom", degrees: 18 });
    const { shown } = await talked(
      [set, again, "Both."],
      [...house, "Heat."],
      [
        [/reject it\s*$/, pressed("a")],
        [/Both\.[\s\S]*> $/, "/tools\r"],
        [/set_temperature +runs[\s\S]*> $/, CTRL_D],
      ],
    );
    expect(shown).toContain("← set to 18 degrees");
    expect(shown).toMatch(/wait_forever +waits/);
  });

  test("text typed while the model answers approves nothing", async () => {
    const { shown, requests } = await talked(
      [`${"Well. ".repeat(40)}${set}`, "No."],
      [...house, "Heat."],
      [
        [/Well\./, "yyyy\ry"],
        [/reject it\s*$/, CTRL_C],
        [/> $/, CTRL_D],
      ],
    );
    expect(shown).not.toContain("set to 21");
    expect(requests.length).toBe(1);
  });

  test("asks for the result of a tool that does not run here", async () => {
    const { requests } = await talked(
      [call("now", {}), "They say yes."],
      ["--tools", "tools.json", "Ask."],
      [
        [/What is its result\?/, "Yes, gladly\r"],
        [/They say yes\.[\s\S]*> $/, CTRL_D],
      ],
    );
    expect(requests[1]?.messages.at(-1)?.content).toContain("Yes, gladly");
  });

  test("Ctrl-C stops the answer, and the model; a second one ends the chat", async () => {
    const { code, shown, aborted } = await talked(
      [{ endless: "and so on " }],
      [...house, "Tell me."],
      [
        [/and so on and so on/, CTRL_C],
        [/Stopped\.[\s\S]*> $/, CTRL_C],
      ],
    );
    expect(shown).toContain("Stopped.");
    expect(code).toBe(130);
    expect(aborted()).toBe(1);
  });

  test("Ctrl-C at the prompt explains how to end the chat, and discards the typed text", async () => {
    const { code, shown } = await talked(["Hello."], house, [
      [/> $/, `half a mess${CTRL_C}`],
      [/Ctrl-C again[\s\S]*> $/, "Hi\r"],
      [/Hello\.[\s\S]*> $/, CTRL_C],
      [/Ctrl-C again[\s\S]*Ctrl-C again[\s\S]*> $/, CTRL_C],
    ]);
    expect(code).toBe(130);
    expect(shown).toContain("Hello.");
  });

  test("Ctrl-C leaves a tool that never ends, and the chat continues", async () => {
    const { code, shown } = await talked(
      [call("wait_forever", {}), "Never mind."],
      [...house, "--ask", "never", "Wait."],
      [
        [/→ wait_forever/, CTRL_C],
        [/Stopped\.[\s\S]*> $/, "And now?\r"],
        [/Never mind\.[\s\S]*> $/, "/exit\r"],
      ],
    );
    expect(code).toBe(0);
    expect(shown).toContain("Never mind.");
  });

  test("an MCP server outlives Ctrl-C", async () => {
    const mcp = ["--trust-mcp", "--mcp", `"${process.execPath}" mcp-server.mjs`];
    const { shown } = await talked(
      [{ endless: "la " }, call("look", {}), "I looked."],
      [...mcp, "Sing."],
      [
        [/la la la/, CTRL_C],
        [/Stopped\.[\s\S]*> $/, "Look.\r"],
        [/I looked\.[\s\S]*> $/, CTRL_D],
      ],
    );
    expect(shown).toContain("← seen");
  });

  test("pasted lines are one message, and a backslash continues the line", async () => {
    const { requests } = await talked(
      ["Two lines.", "Joined."],
      [],
      [
        [/> $/, "first\rsecond\r"],
        [/Two lines\.[\s\S]*> $/, "one \\\r"],
        [/one \\\s+> $/, "two\r"],
        [/Joined\.[\s\S]*> $/, CTRL_D],
      ],
    );
    expect(requests[0]?.messages.at(-1)?.content).toBe("first\nsecond");
    expect(requests[1]?.messages.at(-1)?.content).toBe("one \ntwo");
  });

  test("/raw shows the model's raw reply, /protocol changes the wire format, /save writes a file for fromJSON", async () => {
    const file = scratchFile("saved.json");
    const inXml =
      '<tool_call>\n<name>read_temperature</name>\n<arguments>{"room": "bedroom"}</arguments>\n</tool_call>';
    const { shown, requests } = await talked(
      [read, "19.", inXml, "Also 19."],
      [...house, "Kitchen?"],
      [
        [/19\.\s[\s\S]*> $/, "/raw\r"],
        [/<\/tool_call>[\s\S]*> $/, "/protocol xlm\r"],
        [/Did you mean "xml"\?[\s\S]*> $/, "/protocol xml\r"],
        [/xml \(as you said\)[\s\S]*> $/, "And the bedroom?\r"],
        [/Also 19\.[\s\S]*> $/, `/save ${file}\r`],
        [/Saved to[\s\S]*> $/, "/foo\r"],
        [/There is no command \/foo[\s\S]*> $/, "/help\r"],
        [/end the chat[\s\S]*> $/, CTRL_D],
      ],
    );
    expect(shown).toContain(read);
    expect(requests[2]?.messages[0]?.content).toContain("<arguments>");
    const state = JSON.parse(readFileSync(file, "utf8"));
    const again = ToolConversation.fromJSON(state, { model: async function* () {}, tools: [] });
    expect(again.messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant"],
      ...["user", "assistant", "tool", "assistant"],
    ]);
  });

  test("only the offered keys decide on a call; Ctrl-D stops, like Ctrl-C", async () => {
    const { code, shown, requests } = await talked(
      [set, "Never."],
      [...house, "Heat."],
      [
        [/reject it\s*$/, pressed("\r\r x\u001b[A")],
        [/reject it\s*$/, (_, { write }) => void setTimeout(() => write(CTRL_D), 600)],
        [/> $/, CTRL_D],
      ],
    );
    expect({ code, asked: requests.length }).toEqual({ code: 0, asked: 1 });
    expect(shown).not.toContain("set to 21");
  });

  test("a call cannot hide its effect: by its length, by blanks, or by invisible characters", async () => {
    const room = `ls${" ".repeat(1500)}; rm -rf ~ #${" ".repeat(2500)}ls\u202e\u200b\u3164`;
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, key) => [`k${key}`, key]));
    const { shown } = await talked(
      [call("wait_forever", { room, ...many })],
      [...house, "Go."],
      [
        [/view all of it\s*$/, pressed("v")],
        [/"k59": 59[\s\S]*"k59": 59[\s\S]*view all of it\s*$/, pressed(CTRL_C)],
        [/> $/, CTRL_D],
      ],
    );
    expect(shown).toContain("⟨1500 spaces⟩; rm -rf ~ #⟨2500 spaces⟩ls\\u202e\\u200b\\u3164");
    expect(shown).toMatch(/⟨\d+ characters are left out here: press v to view them⟩/);
  });

  test("cannot be steered by text of the model or a tool", async () => {
    const { shown } = await talked(
      [`\u001b[2J\u202egone ${call("set_temperature", { room: "kitchen", degrees: 6 })}`, "ok"],
      [...house, "Hi"],
      [
        [/reject it\s*$/, CTRL_C],
        [/> $/, "/raw\r"],
        [/raw[\s\S]*gone[\s\S]*> $/, CTRL_D],
      ],
    );
    expect(shown.split("␛[2J�gone").length).toBe(3);
  });
});
