import { spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { firstRecord, ToolConversation } from "@toolingua/core/conversation";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, chatModel, type Said } from "./support/chat-model.js";
import {
  type Controls,
  command,
  inPipe,
  inTerminal,
  type ProcessOptions,
  type TerminalOptions,
} from "./support/processes.js";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const house = ["--tools", "house.mjs"];
const read = call("read_temperature", { room: "kitchen" });
const set = call("set_temperature", { room: "kitchen", degrees: 21 });

async function talked(replies: readonly Said[], args: readonly string[], on: TerminalOptions["on"] = []) {
  const model = await chatModel(...replies);
  const { code, shown } = await inTerminal(["chat", "--upstream", model.upstream, ...args], { on });
  return { ...model, code, shown: stripVTControlCharacters(shown).replaceAll("\r", "") };
}

async function piped(replies: readonly Said[], args: readonly string[], options: ProcessOptions = {}) {
  const model = await chatModel(...replies);
  return { ...model, ...(await inPipe(["chat", "--upstream", model.upstream, ...args], options)) };
}

/** Pressed once the call can have been read. */
const pressed =
  (key: string) =>
  (_: string, { write }: Controls) =>
    void setTimeout(() => write(key), 300);

function scratchFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-chat-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

describe("a chat in a terminal", () => {
  test("streams, runs what only reads, shows calls and results, and ends by Ctrl-D", async () => {
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
      "edited, at first to what does not fit",
      [
        [/reject it\s*$/, pressed("e")],
        [/arguments: .*21\}/, "\u007f\u007f\u007f90}\r"],
        [/do not fit set_temperature[\s\S]*reject it\s*$/, pressed("e")],
        [/do not fit[\s\S]*arguments: .*21\}/, "\u007f\u007f\u007f24}\r"],
      ],
      "set to 24 degrees",
      /← set to 24 degrees/,
    ],
    [
      "rejected, with a reason",
      [
        [/reject it\s*$/, pressed("n")],
        [/Why\? The model is told\./, "Too warm.\r"],
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

  test("calls of a tool that was approved for good do not wait again", async () => {
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

  test("what is typed while the model answers approves nothing", async () => {
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

  test("asks for the result of a tool that nothing runs here", async () => {
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

  test("Ctrl-C at the prompt says how the chat ends, and what is typed begins anew", async () => {
    const { code, shown } = await talked(["Hello."], house, [
      [/> $/, `half a mess${CTRL_C}`],
      [/Ctrl-C again[\s\S]*> $/, "Hi\r"],
      [/Hello\.[\s\S]*> $/, CTRL_C],
      [/Ctrl-C again[\s\S]*Ctrl-C again[\s\S]*> $/, CTRL_C],
    ]);
    expect(code).toBe(130);
    expect(shown).toContain("Hello.");
  });

  test("a tool that never ends is left by Ctrl-C, and the chat goes on", async () => {
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
    const mcp = ["--mcp", `"${process.execPath}" mcp-server.mjs`];
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

  test("lines that are pasted are one message, and a backslash goes on", async () => {
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

  test("/raw shows what the model wrote, /protocol changes the wire format, /save what fromJSON reads", async () => {
    const file = scratchFile("saved.json");
    const inXml =
      '<tool_call>\n<name>read_temperature</name>\n<arguments>{"room": "bedroom"}</arguments>\n</tool_call>';
    const { shown, requests } = await talked(
      [read, "19.", inXml, "Also 19."],
      [...house, "Kitchen?"],
      [
        [/19\.\s[\s\S]*> $/, "/raw\r"],
        [/<\/tool_call>[\s\S]*> $/, "/protocol xlm\r"],
        [/Did you mean xml\?[\s\S]*> $/, "/protocol xml\r"],
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

  test("nothing but its own keys decides on a call; Ctrl-D stops, as Ctrl-C does", async () => {
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

  test("a call cannot hide what it does: by its length, by blanks, or by characters that are not seen", async () => {
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

  test("cannot be steered by what the model or a tool writes", async () => {
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

describe("a chat is kept in a file", () => {
  test("and goes on there, also in the middle of a call", async () => {
    const file = scratchFile("chat.json");
    const args = [...house, "--history", file];
    await talked(
      [set],
      [...args, "Heat the kitchen."],
      [
        [/reject it\s*$/, CTRL_C],
        [/> $/, CTRL_D],
      ],
    );
    const { shown, requests } = await talked(["As you like.", "21."], args, [
      [/goes on after 1 message\.[\s\S]*As you like\.[\s\S]*> $/, "How warm?\r"],
      [/21\.\s[\s\S]*> $/, CTRL_D],
    ]);
    expect(shown).toContain("The chat goes on after 1 message.");
    expect(JSON.stringify(requests[0]?.messages)).toContain("The user stopped here.");
    const state = JSON.parse(readFileSync(file, "utf8"));
    expect(ToolConversation.fromJSON(state, { model: async function* () {} }).messages.at(-1)).toMatchObject({
      content: "21.",
    });
  });

  test("and after it was killed, a call that waited is asked about again", async () => {
    const file = scratchFile("chat.json");
    const args = [...house, "--history", file];
    await talked([set], [...args, "Heat the kitchen."], [[/reject it\s*$/, (_, { kill }) => kill()]]);
    const { shown, requests } = await talked(["Done."], args, [
      [/reject it\s*$/, pressed("y")],
      [/Done\.[\s\S]*> $/, CTRL_D],
    ]);
    expect(shown).toContain("← set to 21 degrees");
    expect(requests[0]?.messages.at(-1)?.content).toContain("set to 21 degrees");
  });

  test("of which it is the only one", async () => {
    const file = scratchFile("chat.json");
    const first = await chatModel({ endless: "la " });
    const child = spawn(process.execPath, [command, "chat", "Sing", "--once", "-u", first.upstream, "--history", file]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const second = await piped(["Hi"], ["Hi", "--history", file]);
    expect(second.stderr).toContain(`${file} is in use by another chat, the process ${child.pid}.`);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    expect((await piped(["Hi"], ["Hi", "--history", file])).code).toBe(0);
  });

  test.each([
    ['{"version":99,"log":[]}', "was written by a newer toolingua (version 99 of chats"],
    ['{"version":0.5,"log":[]}', "is no chat"],
    ["\ufeff[1, 2]", "is no chat"],
  ])("which must be one: %j", async (content, message) => {
    const file = scratchFile("other.json");
    writeFileSync(file, content);
    const { code, stderr } = await piped(["Hi"], ["Hi", "--history", file]);
    expect(code).toBe(70);
    expect(stderr).toContain(message);
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  test("which may be behind a link, and must be in a folder", async () => {
    const file = scratchFile("chat.json");
    const link = `${file}.link`;
    writeFileSync(file, '{"version":1,"log":[]}'.replace("[]", JSON.stringify([firstRecord({})])), { mode: 0o640 });
    symlinkSync(file, link);
    expect((await piped(["Hi"], ["Hi", "--history", link])).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(JSON.parse(readFileSync(file, "utf8")).log.length).toBeGreaterThan(2);
    const nowhere = await piped(["Hi"], ["Hi", "--history", "/nowhere/chat.json"]);
    expect(nowhere.stderr).toBe("error: There is no folder for /nowhere/chat.json.\n");
  });

  test("a list is none", async () => {
    const file = scratchFile("list.json");
    writeFileSync(file, "[1, 2]");
    const { code, stderr } = await piped(["Hi"], ["Hi", "--history", file]);
    expect(code).toBe(70);
    expect(stderr).toContain(`${file} is no chat`);
    expect(readFileSync(file, "utf8")).toBe("[1, 2]");
  });

  test("a message in a pipe goes on with it too", async () => {
    const file = scratchFile("chat.json");
    expect((await piped(["One."], ["First.", "--history", file])).stdout).toBe("One.\n");
    const { stdout, requests } = await piped(["Two."], ["Second.", "--history", file]);
    expect(stdout).toBe("Two.\n");
    expect(requests[0]?.messages.map(({ content }) => content).slice(-3)).toEqual(["First.", "One.", "Second."]);
    expect(existsSync(file)).toBe(true);
  });
});

describe("one message in a pipe", () => {
  test("gives the answer on standard output, calls and results on standard error", async () => {
    const { code, stdout, stderr } = await piped([`Let me see.\n${read}`, "It is 19 degrees."], [...house, "Warm?"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Let me see.\nIt is 19 degrees.\n" });
    expect(stderr).toBe('→ read_temperature {"room":"kitchen"}\n← 19 degrees\n');
  });

  test("takes standard input after what is given", async () => {
    const { requests } = await piped(["Short."], ["Sum this up."], { stdin: "A long text.\n" });
    expect(requests[0]?.messages.at(-1)?.content).toBe("Sum this up.\n\nA long text.");
  });

  test("is not waited for with --once, also where standard input stays open", async () => {
    const { upstream } = await chatModel("Hello.");
    const child = spawn(process.execPath, [command, "chat", "Hi", "--once", "--upstream", upstream]);
    onTestFinished(() => void child.kill());
    expect(await text(child.stdout)).toBe("Hello.\n");
  });

  test("runs nothing that nobody approved, and says so to the model", async () => {
    const { code, stderr, requests } = await piped([set, "I could not."], [...house, "Heat."]);
    expect(code).toBe(0);
    expect(stderr).toContain("set_temperature was rejected: nobody is here to approve it (--ask never runs it).");
    expect(requests[1]?.messages.at(-1)?.content).toContain("Nobody is here to approve this call");
    const allowed = await piped([set, "Done."], [...house, "Heat.", "--ask", "never"]);
    expect(allowed.requests[1]?.messages.at(-1)?.content).toContain("set to 21 degrees");
  });

  test("ends with 1 where there is no answer: a result is needed, or the same call comes again and again", async () => {
    const needed = await piped([call("now", {})], ["--tools", "tools.json", "Ask."]);
    expect(needed.code).toBe(1);
    expect(needed.stderr).toContain("→ now {}: its result is needed");
    const again = await piped([read], [...house, "Warm?"]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("the model makes the same call again and again");
  });

  test("keeps what tools print and throw out of the answer", async () => {
    const { code, stdout, stderr } = await piped(
      [call("talk_too_much", {}), "Done."],
      [...house, "Talk.", "--ask", "never"],
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    expect(stderr).toContain("to standard output");
    expect(stderr).toContain("A tool failed after its call: too late");
  });

  test("that has no answer ends with 1, and an error is said once", async () => {
    const { code, stderr } = await piped(["<think>Hm.</think>"], ["Hi"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "The model gave no answer.\n" });
    const down = await inPipe(["chat", "Hi", "-u", "http://user:secret@127.0.0.1:1", "--model", "m"]);
    expect(down.code).toBe(64);
    expect(down.stderr).not.toContain("secret");
  });

  test("with --json gives each event as a line", async () => {
    const { code, stdout, stderr } = await piped([read, "19."], [...house, "Warm?", "--json"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["call-end", "tool-start", "tool-end", "text"]),
    );
    expect(events.at(-1)).toMatchObject({ type: "end", result: { text: "19.", stopReason: "answer", pending: [] } });
  });

  test.each([
    [["Hi", "--protocol", "hermse"], 64, 'There is no protocol "hermse". Did you mean hermes?'],
    [["Hi", "--ask", "sometimes"], 64, "Allowed choices are changes, all, never"],
    [[], 64, "There is no message"],
    [["Hi", "--tools", "nowhere.mjs"], 70, "There is no module"],
  ])("wrong: %j", async (args, code, message) => {
    const run = await piped(["Hi"], args);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(message);
    expect(run.requests).toEqual([]);
  });

  test("a server that is down is an error", async () => {
    const { code, stderr } = await inPipe(["chat", "Hi", "--upstream", "http://127.0.0.1:1", "--model", "m"]);
    expect(code).toBe(70);
    expect(stderr).toContain("Cannot reach http://127.0.0.1:1/v1/models");
  });
});
