import { spawn } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { firstRecord, ToolConversation } from "@toolingua/core/conversation";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, chatModel } from "./support/chat-model.js";
import { CTRL_C, CTRL_D, house, piped, pressed, read, scratchFile, set, talked } from "./support/chat-runs.js";
import { command } from "./support/processes.js";

describe("a chat in a file", () => {
  test("continues there, also in the middle of a call", async () => {
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
      [/continues after 1 message\.[\s\S]*As you like\.[\s\S]*> $/, "How warm?\r"],
      [/21\.\s[\s\S]*> $/, CTRL_D],
    ]);
    expect(shown).toContain("The chat continues after 1 message.");
    expect(JSON.stringify(requests[0]?.messages)).toContain("The user stopped here.");
    const state = JSON.parse(readFileSync(file, "utf8"));
    expect(ToolConversation.fromJSON(state, { model: async function* () {} }).messages.at(-1)).toMatchObject({
      content: "21.",
    });
  });

  test("asks about a waiting call again after it was killed", async () => {
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

  test("is released at the end, even if something else cannot be ended; the first error is shown", async () => {
    const file = scratchFile("chat.json");
    const tools = file.replace("chat.json", "tools.mjs");
    const execute = `() => { Object.freeze(console); rmSync(${JSON.stringify(file)}); mkdirSync(${JSON.stringify(file)}); }`;
    const code = `export const cut = { name: "cut", parameters: {}, readOnly: true, execute: ${execute} };`;
    writeFileSync(tools, `import { mkdirSync, rmSync } from "node:fs";\n${code}`);
    const ended = await piped([call("cut", {}), "Done."], ["Cut.", "--tools", tools, "--history", file]);
    expect([ended.code, ended.stderr]).toEqual([70, expect.stringContaining(`error: ${file} is a folder`)]);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test("is used by one process at a time", async () => {
    const file = scratchFile("chat.json");
    const first = await chatModel({ endless: "la " });
    const child = spawn(process.execPath, [command, "chat", "Sing", "--once", "-u", first.upstream, "--history", file]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const second = await piped(["Hi"], ["Hi", "--history", file]);
    expect(second.stderr).toContain(`${file} is in use by another chat, process ${child.pid}.`);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    expect((await piped(["Hi"], ["Hi", "--history", file])).code).toBe(0);
  });

  test.each([
    ["of a newer version", '{"version":99,"log":[]}', "was written by a newer toolingua (version 99 of chats"],
    ["of no version", '{"version":0.5,"log":[]}', "is not a chat"],
    ["of other data", "\ufeff[1, 2]", "is not a chat"],
    [
      "nested too deeply",
      `{"version":1,"log":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
      "its data is nested too deeply",
    ],
  ])("refuses another file: one %s", async (_, content, message) => {
    const file = scratchFile("other.json");
    writeFileSync(file, content);
    const { code, stderr } = await piped(["Hi"], ["Hi", "--history", file]);
    expect(code).toBe(70);
    expect(stderr).toContain(message);
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  test("accepts a file behind a link, and needs an existing folder", async () => {
    const file = scratchFile("chat.json");
    const link = `${file}.link`;
    writeFileSync(file, '{"version":1,"log":[]}'.replace("[]", JSON.stringify([firstRecord({})])), { mode: 0o640 });
    symlinkSync(file, link);
    expect((await piped(["Hi"], ["Hi", "--history", link])).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(JSON.parse(readFileSync(file, "utf8")).log.length).toBeGreaterThan(2);
    rmSync(file);
    expect((await piped(["Hi"], ["Hi", "--history", link])).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(existsSync(file)).toBe(true);
    const nowhere = await piped(["Hi"], ["Hi", "--history", "/nowhere/chat.json"]);
    expect(nowhere.stderr).toBe("error: There is no folder for /nowhere/chat.json.\n");
  });

  test("refuses a list", async () => {
    const file = scratchFile("list.json");
    writeFileSync(file, "[1, 2]");
    const { code, stderr } = await piped(["Hi"], ["Hi", "--history", file]);
    expect(code).toBe(70);
    expect(stderr).toContain(`${file} is not a chat`);
    expect(readFileSync(file, "utf8")).toBe("[1, 2]");
  });

  test("continues with a message in a pipe too", async () => {
    const file = scratchFile("chat.json");
    expect((await piped(["One."], ["First.", "--history", file])).stdout).toBe("One.\n");
    const { stdout, requests } = await piped(["Two."], ["Second.", "--history", file]);
    expect(stdout).toBe("Two.\n");
    expect(requests[0]?.messages.map(({ content }) => content).slice(-3)).toEqual(["First.", "One.", "Second."]);
    expect(existsSync(file)).toBe(true);
  });

  test("reports which called tools are missing now", async () => {
    const file = scratchFile("chat.json");
    const asked = await piped([read, "18 degrees."], [...house, "How warm is it?", "--history", file]);
    expect(asked.stderr).not.toContain("does not have now");
    const { code, stdout, stderr } = await piped(["Cold."], ["Is that cold?", "--history", file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Cold.\n" });
    expect(stderr).toContain(
      "The chat so far calls read_temperature, which the model does not have now. Add it with --tools, --mcp or --openapi as before.",
    );
    const quiet = await piped(["Cold."], ["Is that cold?", "--history", file, "--quiet"]);
    expect(quiet.stderr).toBe("");
  });
});
