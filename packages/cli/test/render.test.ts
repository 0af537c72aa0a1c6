import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderChatPrompt, renderPrompt } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli } from "./support/cli.js";

const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, import.meta.url));
const tools = sample("tools.json");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-render-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const json = async (argv: string[], stdin: unknown) => {
  const run = await cli([...argv, "--json"], { stdin: typeof stdin === "string" ? stdin : JSON.stringify(stdin) });
  return { ...run, value: run.stdout === "" ? undefined : JSON.parse(run.stdout) };
};

describe("toolingua render", () => {
  test("names the file in an error, and the place in it", async () => {
    const file = join(folder, "messages.json");
    await writeFile(file, JSON.stringify({ messages: [{ role: "usr", content: "Hi" }] }));
    const { code, stderr } = await cli(["render", file]);
    expect(code).toBe(70);
    expect(stderr).toMatch(
      /messages\.json: \/messages\/0\/role: expected "system", .* got string "usr"\. Did you mean "user"\?\n$/,
    );
    const converted = await cli(["pml", "convert", "--from", "openai", file]);
    expect(converted.stderr).toMatch(/^error: .*messages\.json: \/messages\/0\/role: /);
  });

  test.each<[string, string, string]>([
    ["rol.json", '[{"rol": "user", "content": "Hi"}]', '/messages/0/role: .* There is "rol": did you mean "role"?'],
    ["rol.yaml", "- rol: user\n  content: Hi\n", '/messages/0/role: .* There is "rol": did you mean "role"?'],
    ["contnt.json", '[{"role": "user", "contnt": "Hi"}]', 'There is "contnt": did you mean "content"?'],
    ["message.json", '{"message": []}', 'There is "message": did you mean "messages"?'],
    ["openai.json", '{"mesages": [], "tools": [{"function": {}}]}', 'There is "mesages": did you mean "messages"?'],
    [
      "anthropic.json",
      '{"system": "", "messages": [{"rolle": "user"}]}',
      'has none. There is "rolle": did you mean "role"?',
    ],
    ["empty.json", " ", "There are no messages: the input is empty."],
  ])("says what was probably meant, or that there is nothing: %s", async (name, content, message) => {
    const file = join(folder, name);
    await writeFile(file, content);
    const { code, stderr } = await cli(["render", file]);
    expect(code).toBe(70);
    expect(stderr).toMatch(new RegExp(message.replaceAll("?", "\\?")));
  });

  test("says that a list of messages is empty", async () => {
    const { code, stderr } = await cli(["render"], { stdin: "[]" });
    expect([code, stderr]).toEqual([0, "There are no messages: the list is empty.\n"]);
  });

  test("renders words as a user message, with the tools", async () => {
    const { value } = await json(["render", "--tools", tools, "-p", "hermes"], "Weather in Oslo?\n");
    expect(value).toMatchObject({ protocol: "hermes", stop: ["<tool_response>"] });
    expect(value.messages.at(-1)).toEqual({ role: "user", content: "Weather in Oslo?" });
    expect(value.messages[0].content).toContain('"name": "get_weather"');
  });

  test("shows each message under its role", async () => {
    const { stdout } = await cli(["render", "--tools", tools, "-p", "hermes", "--tool-choice", "required"], {
      stdin: "Hi",
    });
    expect(stdout).toMatch(/^── system ─+\n/);
    expect(stdout).toMatch(/── assistant begins with ─+\n<tool_call>/);
  });

  const asked = { role: "user", content: "Hi" };
  const call = { id: "1", name: "now", arguments: {} };
  test.each<[string, unknown]>([
    [
      "toolingua",
      [
        asked,
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", toolCallId: "1", name: "now", content: "12:00" },
      ],
    ],
    [
      "openai",
      {
        messages: [
          asked,
          {
            role: "assistant",
            tool_calls: [{ id: "1", type: "function", function: { name: "now", arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: "1", content: "12:00" },
        ],
      },
    ],
    [
      "openai-responses",
      {
        input: [
          { role: "user", content: "Hi" },
          { type: "function_call", call_id: "1", name: "now", arguments: "{}" },
          { type: "function_call_output", call_id: "1", output: "12:00" },
        ],
      },
    ],
    [
      "anthropic",
      {
        messages: [
          asked,
          { role: "assistant", content: [{ type: "tool_use", id: "1", name: "now", input: {} }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "12:00" }] },
        ],
      },
    ],
    [
      "gemini",
      {
        contents: [
          { role: "user", parts: [{ text: "Hi" }] },
          { role: "model", parts: [{ functionCall: { name: "now", args: {} } }] },
          { role: "user", parts: [{ functionResponse: { name: "now", response: { output: "12:00" } } }] },
        ],
      },
    ],
  ])("reads messages of %s, and detects their format", async (form, messages) => {
    const { value, stderr } = await json(["render", "--tools", tools, "-p", "hermes"], messages);
    expect(stderr).toBe("");
    const contents = value.messages.map(({ content }: { content: string }) => content);
    expect(contents[1]).toBe("Hi");
    expect(contents[2]).toContain('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>');
    expect(contents[3]).toContain("12:00");
    const told = await json(["render", "--tools", tools, "-p", "hermes", "--from", form], messages);
    expect(told.value).toEqual(value);
  });

  test("reads YAML", async () => {
    const { value } = await json(["render"], "messages:\n  - role: user\n    content: Hi\n");
    expect(value.messages).toEqual([{ role: "user", content: "Hi" }]);
  });

  test("takes tools and the choice of a tool from a request", async () => {
    const { value } = await json(["render", sample("request.json"), "--protocol", "xml"], "");
    const messages = JSON.stringify(value.messages);
    expect(messages).toContain("now");
    const definition = { name: "now", description: "The time", parameters: { type: "object", properties: {} } };
    const expected = renderPrompt({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "What time is it?" },
        { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "now", arguments: {} }] },
        { role: "tool", toolCallId: "call_1", name: "now", content: "12:00" },
      ],
      tools: [definition],
      protocol: "xml",
    });
    expect(value).toEqual({ protocol: "xml", ...expected });
  });

  test("writes the whole prompt of a completion exactly, in the model's format", async () => {
    const { stdout } = await cli(["render", "-m", "qwen2.5:7b", "--completion"], { stdin: "Hi" });
    expect(stdout).toBe(renderChatPrompt({ model: "qwen2.5:7b", messages: [{ role: "user", content: "Hi" }] }).prompt);
  });

  test("writes it by the model's own template, Jinja or tokenizer_config.json", async () => {
    const jinja = "{% for message in messages %}[{{ message.role }}]{{ message.content }}{% endfor %}[assistant]";
    await writeFile(join(folder, "chat.jinja"), jinja);
    await writeFile(join(folder, "tokenizer_config.json"), JSON.stringify({ chat_template: jinja }));
    for (const file of ["chat.jinja", "tokenizer_config.json"]) {
      const { stdout } = await cli(["render", "--template", join(folder, file)], { stdin: "Hi" });
      expect(stdout).toBe("[user]Hi[assistant]");
    }
  });

  test.each([
    [["render"], "", "There are no messages: the input is empty."],
    [["render"], "{", "The input is not valid JSON"],
    [["render", "--from", "gemini"], "[]", "The body of a request to gemini has `contents`; this has none."],
    [["render", "--from", "openai"], "{}", "The body of a request to openai has a list `messages`; this has none."],
    [
      ["render", "--from", "openai"],
      '{"messages":[{"role":"user","content":"hi"},{"content":"hi"}]}',
      'The messages of a request to openai have a `role`, such as "user"; messages[1] has none.',
    ],
    [["render", "--from", "anthropic"], "[5]", "messages[0] has none."],
    [["render", "--completion"], "Hi", "--completion needs the chat format"],
    [["render", "--completion", "--model", "x"], "Hi", 'for "x": give the model\'s own template with --template.'],
    [["render", "--tool-choice", "required"], "Hi", "--tool-choice required needs tools"],
    [["render", "--tools", tools, "--tool-choice", "get_wether"], "Hi", 'Did you mean "get_weather"?'],
    [
      ["render", "--tool-choice", "get_weather"],
      "Hi",
      "nor the name of a tool. No tools are given: --tools, --mcp and",
    ],
    [["render", "--tools", tools, "--tool-choice", "zzzzzz"], "Hi", 'nor the name of a tool. There are "'],
    [["render", "-p", "hermes", "-m", "llama3.1:8b"], "Hi", "both name a wire format: give one"],
    [["grammar", "--tools", tools, "-p", "hermes", "-m", "llama3.1:8b"], "", "both name a wire format"],
    [["render"], '[{"role": "user"}]', "content"],
    ...[["render"], ["grammar", "--tools", tools], ["serve", "--upstream", "http://127.0.0.1:1/v1", "-m", "m"]].map(
      (argv): [string[], string, string] => [
        [...argv, "-p", "auto"],
        "Hi",
        "without --protocol the model's name decides",
      ],
    ),
  ])("explains what is wrong with %j of %j", async (argv, stdin, message) => {
    const { code, stderr } = await cli(argv, { stdin });
    expect(code).toBeGreaterThanOrEqual(64);
    expect(stderr).toContain(message);
  });

  test("the model's name is a wire format where --protocol is missing, and the chat format of a completion none", async () => {
    const { value } = await json(["render", "-m", "llama3.1:8b"], "Hi");
    expect(value.protocol).toBe("llama3-json");
    const both = await json(["render", "--completion", "-p", "hermes", "-m", "llama3.1:8b"], "Hi");
    expect(both.value.protocol).toBe("hermes");
  });
});
