import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, chatModel } from "./support/chat-model.js";
import { house, piped, read, set } from "./support/chat-runs.js";
import { command, inPipe } from "./support/processes.js";

describe("one message in a pipe", () => {
  test("writes the answer to standard output, and calls and results to standard error", async () => {
    const { code, stdout, stderr } = await piped([`Let me see.\n${read}`, "It is 19 degrees."], [...house, "Warm?"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Let me see.\nIt is 19 degrees.\n" });
    expect(stderr).toBe('→ read_temperature {"room":"kitchen"}\n← 19 degrees\n');
  });

  test("appends standard input to the given text", async () => {
    const { requests } = await piped(["Short."], ["Sum this up."], { stdin: "A long text.\n" });
    expect(requests[0]?.messages.at(-1)?.content).toBe("Sum this up.\n\nA long text.");
  });

  test("does not wait for it with --once, even if standard input stays open", async () => {
    const { upstream } = await chatModel("Hello.");
    const child = spawn(process.execPath, [command, "chat", "Hi", "--once", "--upstream", upstream]);
    onTestFinished(() => void child.kill());
    expect(await text(child.stdout)).toBe("Hello.\n");
  });

  test("runs nothing without approval, and reports that to the model", async () => {
    const { code, stderr, requests } = await piped([set, "I could not."], [...house, "Heat."]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "set_temperature was rejected: no user is here to approve it; `--ask never` runs it without asking.",
    );
    expect(requests[1]?.messages.at(-1)?.content).toContain("No user is here to approve this call");
    const allowed = await piped([set, "Done."], [...house, "Heat.", "--ask", "never"]);
    expect(allowed.requests[1]?.messages.at(-1)?.content).toContain("set to 21 degrees");
  });

  test("runs no call of reasoning that the template opened, with --start-with-reasoning", async () => {
    const thought = `I could use ${read} but no.\n</think>\n\nHi.`;
    const { code, stdout, stderr } = await piped([thought], [...house, "Warm?", "--start-with-reasoning"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hi.\n" });
    expect(stderr).not.toContain("→");
  });

  test("refuses --context for a model on a server", async () => {
    const { code, stderr, requests } = await piped(["Hello."], ["Hi", "--context", "100"]);
    expect({ code, requests }).toEqual({ code: 64, requests: [] });
    expect(stderr).toContain("--context applies to a model in this process (--embedded)");
  });

  test("ends with 1 without an answer: a result is needed, or a call is repeated", async () => {
    const needed = await piped([call("now", {})], ["--tools", "tools.json", "Ask."]);
    expect(needed.code).toBe(1);
    expect(needed.stderr).toContain("→ now {}: needs a result");
    const again = await piped([read], [...house, "Warm?"]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("the model repeats the same call");
  });

  test("keeps output and errors of tools out of the answer", async () => {
    const { code, stdout, stderr } = await piped(
      [call("talk_too_much", {}), "Done."],
      [...house, "Talk.", "--ask", "never"],
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    expect(stderr).toContain("to standard output");
    expect(stderr).toContain("A tool failed after its call: too late");
  });

  test("ends with 1 without an answer, and prints an error once", async () => {
    const { code, stderr } = await piped(["<think>Hm.</think>"], ["Hi"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "The model gave no answer.\n" });
    const down = await inPipe(["chat", "Hi", "-u", "http://user:secret@127.0.0.1:1", "--model", "m"]);
    expect(down.code).toBe(64);
    expect(down.stderr).not.toContain("secret");
  });

  test("prints each event as a line with --json", async () => {
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
    [["Hi", "--protocol", "hermse"], 64, 'There is no protocol "hermse". Did you mean "hermes"?'],
    [["Hi", "--ask", "sometimes"], 64, "Allowed choices are changes, all, never"],
    [[], 64, "The message is missing"],
    [["Hi", "--tools", "nowhere.mjs"], 70, "There is no module"],
  ])("refuses %j", async (args, code, message) => {
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
