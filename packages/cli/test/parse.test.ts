import { constants } from "node:buffer";
import { EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { cli } from "./support/cli.js";

const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, import.meta.url));
const call = (name: string, args: object) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
const withTools = (...args: string[]) => ["parse", "--tools", sample("tools.json"), ...args];

describe("toolingua parse", () => {
  test.each([["parse"], ["parse", "--stream"], ["parse", "--explain"]])(
    "says that a reply is empty: %j",
    async (...argv) => {
      for (const stdin of ["", " \n"])
        expect(await cli(argv, { stdin })).toMatchObject({ code: 1, stderr: "The reply is empty.\n" });
    },
  );

  test("shows text, calls, repairs and invalid calls, and ends with 2", async () => {
    const { code, stdout, stderr } = await cli(withTools(sample("reply.txt")));
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout).toBe(
      [
        "reasoning  hm",
        "text       Let me look.",
        'call       get_weather {"city":"Paris","days":2}',
        "           repaired: to-number at /days",
        "           repaired: trailing-comma at /days",
        "text       Done.",
        "invalid    get_wether {}",
        '           unknown-tool: There is no tool named "get_wether". Did you mean "get_weather"?',
        "",
      ].join("\n"),
    );
  });

  test.each([
    ["calls", call("now", {}), 0],
    ["text only", "It is noon.", 1],
    ["an invalid call", call("get_weather", {}), 2],
    ["an empty reply", "", 1],
  ])("ends with the exit code of its findings: %s", async (_, stdin, code) => {
    expect((await cli(withTools(), { stdin })).code).toBe(code);
    expect((await cli(withTools("--json"), { stdin })).code).toBe(code);
    expect((await cli(withTools("--stream"), { stdin })).code).toBe(code);
    expect((await cli(withTools("--explain"), { stdin })).code).toBe(code);
  });

  test("accepts every name and all arguments without tools", async () => {
    const { code, stdout } = await cli(["parse", "--json"], { stdin: call("anything", { x: [1] }) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ toolCalls: [{ name: "anything", arguments: { x: [1] } }], text: "" });
  });

  test.each([
    ['{"name": "now", "arguments": {}}', [], "text"],
    ["now()", [], "text"],
    ["now()", ["--protocol", "pythonic"], "call"],
    ['{"name": "now", "arguments": {}}', ["--tools", sample("tools.json")], "call"],
  ])("reads calls without a marker by the tools or the requested protocol: %s %j", async (stdin, args, became) => {
    expect((await cli(["parse", ...args], { stdin })).stdout).toMatch(new RegExp(`^${became} `));
  });

  test("says in its help that bare JSON needs the tools", async () => {
    expect((await cli(["parse", "--help"])).stdout.replace(/\s+/g, " ")).toContain("bare JSON needs the tools");
  });

  test("explains why a reply that seems to have calls has none", async () => {
    const { stdout } = await cli(withTools("--json"), { stdin: `I would write\n\`\`\`\n${call("now", {})}\n\`\`\`` });
    expect(JSON.parse(stdout).whyText).toMatchObject([
      { reason: 'a call of "now" in a code block or inline code is quoted' },
    ]);
  });

  test.each([
    `Like so:\n\`\`\`json\n{"name": "now", "arguments": {}}\n\`\`\`\nDone.`,
    '{"name": "now", "arguments": {}} is what I call.',
    '{"method": "now", "params": {}}',
    '{"name": "nwo", "arguments": {}}',
    "&lt;tool_call&gt;{}&lt;/tool_call&gt; or now() it is.",
    `<think>${call("now", {})}</think>It is now() then. ${call("nwo", {})} now()`,
    "It is noon.",
  ])("gives the same reasons with and without --explain: %j", async (stdin) => {
    const { whyText = [] } = JSON.parse((await cli(withTools("--json"), { stdin })).stdout);
    const parts = JSON.parse((await cli(withTools("--json", "--explain"), { stdin })).stdout) as { why?: string }[];
    expect(whyText.map(({ reason }: { reason: string }) => reason)).toEqual(parts.flatMap(({ why }) => why ?? []));
    expect(whyText.length > 0).toBe(stdin !== "It is noon.");
  });

  test("reports what was dropped, also as JSON", async () => {
    const stdin = `${call("now", {})}\n<tool_response>noon</tool_response>`;
    const { dropped } = JSON.parse((await cli(withTools("--json"), { stdin })).stdout);
    expect(dropped).toEqual([{ text: expect.stringContaining("noon"), reason: "a result that the model made up" }]);
    expect(JSON.parse((await cli(withTools("--json"), { stdin: call("now", {}) })).stdout)).not.toHaveProperty(
      "dropped",
    );
  });

  test("reads only the requested format with --accept own", async () => {
    const stdin = call("now", {});
    expect((await cli(withTools("--protocol", "mistral"), { stdin })).code).toBe(0);
    const { code, stdout } = await cli(withTools("--protocol", "mistral", "--accept", "own"), { stdin });
    expect(code).toBe(1);
    expect(stdout).toContain("in another format than mistral");
  });

  test("continues a prefill, and reads a reply at the token limit as truncated", async () => {
    const begun = '{"name": "now", "arguments": {}}\n</tool_call>';
    const prefilled = await cli(["parse", "-p", "hermes", "--prefill", "<tool_call>\n", "--json"], { stdin: begun });
    expect(JSON.parse(prefilled.stdout).toolCalls).toMatchObject([{ name: "now" }]);
    const half = '<tool_call>\n{"name": "now", "arguments": {"a": "b';
    const { stdout } = await cli(["parse", "--cut-off", "--json"], { stdin: half });
    expect(JSON.parse(stdout).invalidToolCalls).toMatchObject([{ error: { code: "truncated" } }]);
  });

  test("emits each chunk's events before the next chunk comes", async () => {
    const written = new EventEmitter();
    const seen = (type: string) => once(written, type);
    async function* pieces() {
      const text = seen("text");
      yield "Hello <tool_";
      await text;
      const start = seen("call-start");
      yield 'call>\n{"name": "now", "arguments": {"a": 1';
      await start;
      yield "}}\n</tool_call>";
    }
    const { stdout } = await cli(["parse", "--stream"], {
      stdin: pieces(),
      onStdout: (lines) => {
        for (const line of lines.trimEnd().split("\n")) written.emit(JSON.parse(line).type);
      },
    });
    const types = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(["text", "call-start", "call-delta", "call-delta", "call-end"]);
  }, 20_000);

  test("reads characters that span two chunks", async () => {
    const bytes = Buffer.from("Grüße 🌧");
    const stdin = [...bytes].map((byte) => Buffer.from([byte]));
    const { stdout } = await cli(["parse", "--json"], { stdin });
    expect(JSON.parse(stdout).text).toBe("Grüße 🌧");
  });

  test.each([
    ["UTF-16 of PowerShell", [0xff, 0xfe], (text: string) => Buffer.from(text, "utf16le")],
    ["big-endian UTF-16", [0xfe, 0xff], (text: string) => Buffer.from(text, "utf16le").swap16()],
    ["UTF-8 with its mark", [0xef, 0xbb, 0xbf], (text: string) => Buffer.from(text)],
  ])("reads %s, also byte by byte", async (_, mark, encoded) => {
    const written = Buffer.concat([Buffer.from(mark), encoded('Grüße 🌧<tool_call>{"name":"now","arguments":{}}')]);
    for (const stdin of [[written], [...written].map((byte) => Buffer.from([byte]))]) {
      const { stdout } = await cli(["parse", "--json"], { stdin });
      expect(JSON.parse(stdout)).toMatchObject({ text: "Grüße 🌧", toolCalls: [{ name: "now" }] });
    }
  });

  test.each([
    [
      "Latin-1",
      Buffer.from("caf\u00e9 now", "latin1"),
      "The input has bytes that are not UTF-8, shown as \uFFFD. Save it as UTF-8.\n",
    ],
    [
      "half a character",
      Buffer.from("Gr\u00fc").subarray(0, 3),
      "The input has bytes that are not UTF-8, shown as \uFFFD.",
    ],
    [
      "UTF-16 without a mark",
      Buffer.from("now", "utf16le"),
      "The input is UTF-16 without a byte order mark. Save it as UTF-8.",
    ],
    ["UTF-8 with a character that stands for a lost one", Buffer.from("a \uFFFD"), ""],
  ])("notes %s, whose encoding is not guessed", async (_, written, note) => {
    for (const stdin of [[written], [...written].map((byte) => Buffer.from([byte]))]) {
      if (note === "" && stdin.length > 1) continue;
      const { code, stderr } = await cli(["parse"], { stdin });
      expect(code).toBe(1);
      expect(stderr).toBe(note === "" ? "" : `${note.replace(/ Save.*/s, "")} Save it as UTF-8.\n`);
    }
  });

  test("refuses an input that is longer than a text can be", async () => {
    const piece = "a".repeat(2 ** 26);
    const { code, stderr } = await cli(["parse"], { stdin: Array.from({ length: 8 }, () => piece) });
    expect([code, stderr]).toEqual([
      70,
      `error: The input is longer than ${constants.MAX_STRING_LENGTH} characters.\n`,
    ]);
  });

  test("reads an input of one byte, and of none", async () => {
    for (const text of ["a", ""])
      expect(JSON.parse((await cli(["parse", "--json"], { stdin: [Buffer.from(text)] })).stdout).text).toBe(text);
  });

  test.each([
    [["parse", "no-such-file"], 70, "There is no file no-such-file."],
    [["parse", "--tools", "no-such.json"], 70, "There is no file no-such.json."],
    [["parse", "--protocol", "hermse"], 64, 'There is no protocol "hermse". Did you mean "hermes"?'],
    [["parse", "--stream", "--explain"], 64, "option '--stream' cannot be used with option '--explain'"],
    [["parse", "--accept", "all"], 64, "Allowed choices are any, own."],
  ])("explains what is wrong with %j", async (argv, code, message) => {
    const run = await cli(argv);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(message);
    const json = await cli([...argv, "--json"]);
    expect(JSON.parse(json.stderr).error.message).toContain(message);
  });

  test("shows control characters as pictures", async () => {
    const { stdout } = await cli(["parse"], { stdin: "a\u001b[2Jb\u202ec" });
    expect(stdout).toBe("text       a␛[2Jb�c\n");
  });
});
