import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { resolveModel } from "@toolingua/llama-cpp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LlamaServer, llamaServerMissing, startLlamaServer } from "../../endpoints/test/support/llama-server.js";
import { delta, event, reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, gatewayBefore, pieces, promptOf } from "./support/gateway.js";

// Real programs as clients, which are fetched from the registries: Claude Code and Codex write a file by their own tools, the
// SDKs in Python read whole answers and streams of each API, and a crew of CrewAI runs a tool. And a real llama.cpp as the
// upstream.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "toolingua-clients-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Installs an npm package apart from the workspace; gives its folder. */
async function installed(name: string, version: string): Promise<string> {
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `${name}@${version}`], { cwd: folder });
  return join(folder, "node_modules", name);
}

/** A folder to work in, and the environment of somebody who never used the program. */
function workplace(name: string) {
  const [home, work] = [join(folder, `${name}-home`), join(folder, `${name}-work`)];
  mkdirSync(home);
  mkdirSync(work);
  const { PATH = "" } = process.env;
  return { work, home, env: { PATH, HOME: home } };
}

/** An upstream that makes this call, and then says that it is done. */
const callsOnce = (made: string) => [stream(reply(...pieces(`I write it.\n${made}`))), stream(reply("All done."))];

describe("Claude Code", () => {
  it("writes a file with its own tool", async () => {
    const at = await installed("@anthropic-ai/claude-code", "2.1.197");
    // npm runs no install scripts: this one puts the program for this machine in its place.
    await run(process.execPath, [join(at, "install.cjs")], { cwd: at });
    const { work, env } = workplace("claude");
    const file = join(work, "hello.txt");
    const made = call({ file_path: file, content: "hi there" }, "Write");
    const { url, upstream } = await gatewayBefore(callsOnce(made), { model: { aliases: ["claude-*"] } });
    const child = run(
      join(folder, "node_modules", ".bin", "claude"),
      ["-p", "Write hello.txt", "--allowedTools", "Write", "--output-format", "json"],
      {
        cwd: work,
        env: {
          ...env,
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_AUTH_TOKEN: "none",
          ANTHROPIC_API_KEY: "",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        },
      },
    );
    child.child.stdin?.end();
    const { stdout } = await child;
    expect(JSON.parse(stdout)).toMatchObject({ is_error: false, num_turns: 2, result: "All done." });
    expect(readFileSync(file, "utf8")).toBe("hi there");
    expect(JSON.stringify(upstream.requests[1]?.body)).toContain("File created successfully");
  });
});

describe("Codex", () => {
  it("retries if the upstream failed in the middle, and runs a command with its own tool", async () => {
    await installed("@openai/codex", "0.169.0");
    const { work, home, env } = workplace("codex");
    const file = join(work, "hello.txt");
    const made = call({ cmd: `echo hi there > ${file}` }, "exec_command");
    const failed = stream([delta("I wri"), event({ error: { message: "The GPU is gone." } })]);
    const { url, upstream } = await gatewayBefore([failed, ...callsOnce(made)]);
    mkdirSync(join(home, ".codex"));
    const provider = `[model_providers.gateway]\nname = "gateway"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`;
    writeFileSync(join(home, ".codex", "config.toml"), `model = "m"\nmodel_provider = "gateway"\n${provider}`);
    const options = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
    const child = run(join(folder, "node_modules", ".bin", "codex"), ["exec", ...options, "Write hello.txt"], {
      cwd: work,
      env: { ...env, CODEX_HOME: join(home, ".codex") },
    });
    child.child.stdin?.end();
    expect((await child).stdout).toContain("All done.");
    expect(readFileSync(file, "utf8")).toBe("hi there\n");
    expect(upstream.requests).toHaveLength(3);
  });
});

const script = `
import sys, json, openai, anthropic
url, messages = sys.argv[1], [{"role": "user", "content": "Weather?"}]
parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
chat = openai.OpenAI(base_url=url + "/v1", api_key="none", max_retries=0)
messages_api = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
function = {"name": "get_weather", "parameters": parameters}
asked = {"model": "m", "messages": messages, "tools": [{"type": "function", "function": function}]}
answers = [chat.chat.completions.create(**asked).choices[0].message.tool_calls[0].function.arguments]
with chat.chat.completions.stream(**asked) as stream:
    for _ in stream: pass
    answers.append(stream.get_final_completion().choices[0].message.tool_calls[0].function.arguments)
asked = {"model": "m", "input": messages, "tools": [{"type": "function", "strict": False, **function}]}
calls = lambda response: [item.arguments for item in response.output if item.type == "function_call"]
answers += calls(chat.responses.create(**asked))
with chat.responses.stream(**asked) as stream:
    for _ in stream: pass
    answers += calls(stream.get_final_response())
asked = {"model": "m", "max_tokens": 99, "messages": messages, "tools": [{"name": "get_weather", "input_schema": parameters}]}
inputs = lambda message: [json.dumps(block.input) for block in message.content if block.type == "tool_use"]
answers += inputs(messages_api.messages.create(**asked))
with messages_api.messages.stream(**asked) as stream:
    for _ in stream: pass
    answers += inputs(stream.get_final_message())
print(json.dumps([json.loads(answer) for answer in answers]))
`;

/** Installs packages of PyPI apart from all others; gives what runs a script with them, whose last line is JSON. */
async function python(...wanted: string[]) {
  const packages = join(folder, `python-${wanted[0]}`);
  await run("python3", ["-m", "pip", "install", "--quiet", "--target", packages, ...wanted], { timeout: 900_000 });
  return async (script: string, argument: string, environment: Record<string, string> = {}): Promise<unknown> => {
    const env = { ...process.env, PYTHONPATH: packages, ...environment };
    const { stdout } = await run("python3", ["-c", script, argument], { env });
    return JSON.parse(stdout.trim().split("\n").at(-1)!);
  };
}

describe("the SDKs in Python", () => {
  it("read a call, whole and streamed, from each API", async () => {
    const runScript = await python("openai", "anthropic");
    const { url } = await gatewayBefore([stream(reply(...pieces(`I look.\n${call({ city: "Oslo" })}`)))]);
    expect(await runScript(script, url)).toEqual(Array.from({ length: 6 }, () => ({ city: "Oslo" })));
  });
});

const crew = `
import sys, json
from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
ran, answers = [], []
@tool("get_weather")
def get_weather(city: str) -> str:
    """The weather of a city"""
    ran.append(city)
    return "3 degrees in " + city
for more in [{}, {"stream": True}, {"api": "responses"}]:
    llm = LLM(model="openai/m", base_url=sys.argv[1] + "/v1", api_key="none", **more)
    agent = Agent(role="Forecaster", goal="Tell the weather", backstory="You know it.", llm=llm, tools=[get_weather])
    task = Task(description="What is the weather in Oslo?", expected_output="One sentence", agent=agent)
    answers.append(Crew(agents=[agent], tasks=[task]).kickoff().raw)
print(json.dumps({"ran": ran, "answers": answers}))
`;

describe("CrewAI", () => {
  it("has a crew that runs a tool and answers, whole and streamed, with Chat Completions and Responses", async () => {
    const runScript = await python("crewai==1.15.30");
    const once = callsOnce(call({ city: "Oslo" }));
    const { url, upstream } = await gatewayBefore([...once, ...once, ...once]);
    const { home } = workplace("crewai");
    // It must not ask others than the gateway.
    const quiet = { HOME: home, CREWAI_DISABLE_TELEMETRY: "true", OTEL_SDK_DISABLED: "true" };
    expect(await runScript(crew, url, quiet)).toEqual({
      ran: ["Oslo", "Oslo", "Oslo"],
      answers: ["All done.", "All done.", "All done."],
    });
    expect(upstream.requests).toHaveLength(6);
    for (const request of upstream.requests.filter((_, i) => i % 2 === 1))
      expect(promptOf(request)).toContain("3 degrees in Oslo");
  }, 1_200_000);
});

describe("a real llama.cpp as the upstream", () => {
  const rooms = ["kitchen", "bedroom", "hall"];
  const parameters = {
    type: "object",
    properties: { room: { enum: rooms }, on: { type: "boolean" } },
    required: ["room", "on"],
    additionalProperties: false,
  };
  const about = { name: "set_light", description: "Turns the light of a room on or off." };
  const messages = [{ role: "user" as const, content: "Turn on the light in the kitchen." }];
  const right = { room: expect.toBeOneOf(rooms), on: expect.any(Boolean) };
  const limits = { temperature: 0, seed: 1 };
  let server: LlamaServer;
  const gatewayOn = () =>
    gatewayBefore([], {
      model: { upstream: { baseURL: server.baseURL }, backend: "llama.cpp", constraint: "auto" },
    });

  beforeAll(async () => {
    expect(llamaServerMissing()).toBeUndefined();
    server = await startLlamaServer((await resolveModel("smollm2-135m")).path);
  }, 600_000);
  afterAll(() => server?.kill());

  it("returns a valid call to each API, whole and streamed", async () => {
    const { openai, anthropic } = await gatewayOn();
    const chat = {
      model: "m",
      ...limits,
      max_tokens: 200,
      messages,
      tools: [{ type: "function" as const, function: { ...about, parameters } }],
      tool_choice: "required" as const,
    };
    const responses = {
      model: "m",
      temperature: 0,
      max_output_tokens: 200,
      input: messages,
      tools: [{ type: "function" as const, strict: false, ...about, parameters }],
      tool_choice: "required" as const,
    };
    const messaged = {
      model: "m",
      temperature: 0,
      max_tokens: 200,
      messages,
      tools: [{ ...about, input_schema: parameters as never }],
      tool_choice: { type: "any" as const },
    };
    for (const { choices } of [
      await openai.chat.completions.create(chat),
      await openai.chat.completions.stream(chat).finalChatCompletion(),
    ]) {
      expect(choices[0]?.finish_reason).toBe("tool_calls");
      const made = choices[0]?.message.tool_calls?.[0];
      expect(made?.type === "function" && JSON.parse(made.function.arguments)).toEqual(right);
    }
    for (const { output } of [
      await openai.responses.create(responses),
      await openai.responses.stream(responses).finalResponse(),
    ]) {
      const made = output.find(({ type }) => type === "function_call");
      expect(made?.type === "function_call" && JSON.parse(made.arguments)).toEqual(right);
    }
    for (const { content, usage } of [
      await anthropic.messages.create(messaged),
      await anthropic.messages.stream(messaged).finalMessage(),
    ]) {
      expect(content.at(-1)).toMatchObject({ type: "tool_use", name: "set_light", input: right });
      expect(usage.output_tokens).toBeGreaterThan(0);
    }
  });

  it("answers with text, constrains it to a schema, and stops when the client leaves", async () => {
    const { openai } = await gatewayOn();
    const asked = { model: "m", ...limits, messages: [{ role: "user" as const, content: "Name a room." }] };
    const text = await openai.chat.completions.create({ ...asked, max_tokens: 20 });
    expect(text.choices[0]?.message.content).toMatch(/\w/);
    expect(text.usage?.completion_tokens).toBeGreaterThan(0);
    const schema = { ...parameters, properties: { room: { enum: rooms } }, required: ["room"] };
    const held = await openai.chat.completions.create({
      ...asked,
      max_tokens: 100,
      response_format: { type: "json_schema", json_schema: { name: "room", schema } },
    });
    expect(JSON.parse(held.choices[0]!.message.content!)).toMatchObject({ room: expect.toBeOneOf(rooms) });
    const long = [{ role: "user" as const, content: "Count to a thousand." }];
    for await (const _ of await openai.chat.completions.create({ ...asked, messages: long, stream: true })) break;
    await expect.poll(() => server.busy(), { timeout: 30_000 }).toBe(false);
  });
});
