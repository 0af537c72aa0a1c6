import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, chatModel } from "./support/chat-model.js";
import { house, piped, read, set } from "./support/chat-runs.js";
import { command, inPipe } from "./support/processes.js";

const endings = ["--tools", "endings.mjs"];

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

  test("limits the tokens of each reply and sets the temperature", async () => {
    const { requests } = await piped([read, "Yes."], [...house, "Warm?", "--max-tokens", "50", "--temperature", "0.5"]);
    expect(requests).toMatchObject([0, 1].map(() => ({ max_tokens: 50, temperature: 0.5 })));
    for (const [flag, value] of [
      ["--max-tokens", "0"],
      ["--temperature", "hot"],
      ["--temperature", "-1"],
    ] as const)
      expect(await piped([], ["Warm?", flag, value])).toMatchObject({ code: 64, requests: [] });
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

  test.each([
    ["wait_in_vain", "The tool wait_in_vain never ends: it waits for what never comes, and nothing else runs."],
    ["leave", "The tool leave calls process.exit(3)."],
  ])("a tool that would end the chat is an error: %s", async (name, message) => {
    const replies = [call(name, {}), "Done."];
    const { code, stdout, stderr, requests } = await piped(replies, [...endings, "Go.", "--ask", "never"]);
    expect({ code, stdout, asked: requests.length }).toEqual({ code: 70, stdout: "", asked: 1 });
    expect(stderr).toContain(`error: ${message}\n`);
    const json = await piped(replies, [...endings, "Go.", "--ask", "never", "--json"]);
    const error = { code: "failed", message };
    expect(JSON.parse(json.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
      type: "end",
      result: { stopReason: "error", error },
    });
    expect(json.code).toBe(70);
    expect(JSON.parse(json.stderr)).toEqual({ error });
  });

  test("a tool that ends the process after its call is reported, and the chat goes on", async () => {
    const { code, stdout, stderr } = await piped(
      [call("leave_later", {}), "Done."],
      [...endings, "Go.", "--ask", "never"],
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    expect(stderr).toContain("A tool failed after its call: The tool leave_later calls process.exit(3).");
  });

  test("ends with 1 without an answer, and prints an error once", async () => {
    const { code, stderr } = await piped(["<think>Hm.</think>"], ["Hi"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "The model gave no answer.\n" });
    const down = await inPipe(["chat", "Hi", "-u", "http://user:secret@127.0.0.1:1", "--model", "m"]);
    expect(down.code).toBe(64);
    expect(down.stderr).not.toContain("secret");
  });

  test.each([
    ["It is", "length", "The answer is not whole: it ended at the token limit of the server or the model.\n"],
    ["It is", "content_filter", "The answer is not whole: the content filter of the server ended it.\n"],
    ["", "length", "The model gave no answer: it ended at the token limit of the server or the model.\n"],
    ["", "content_filter", "The model gave no answer: the content filter of the server ended it.\n"],
  ])("says why the answer %j ended early: %s", async (text, finish, note) => {
    const { code, stderr } = await piped([{ text, finish }], ["Hi"]);
    expect({ code, stderr }).toEqual({ code: text === "" ? 1 : 0, stderr: note });
    const { stdout } = await piped([{ text, finish }], ["Hi", "--json"]);
    const end = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    expect(end).toMatchObject({ type: "end", result: { finish: finish.replace("_", "-") } });
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
    [["Hi", "--tools", "nowhere.mjs"], 70, "There is no file nowhere.mjs."],
  ])("refuses %j", async (args, code, message) => {
    const run = await piped(["Hi"], args);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(message);
    expect(run.requests).toEqual([]);
  });

  test("a server that is down is an error", async () => {
    const { code, stderr } = await inPipe(["chat", "Hi", "--upstream", "http://127.0.0.1:2", "--model", "m"]);
    expect(code).toBe(70);
    expect(stderr).toContain("Cannot reach http://127.0.0.1:2/v1/models");
  });
});
