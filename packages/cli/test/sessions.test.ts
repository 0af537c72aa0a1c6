import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, test } from "vitest";
import { expectMade } from "../../../test/support/readme-table.js";
import { reply } from "../../endpoints/test/support/scripted-server.js";
import { call, chatModel } from "./support/chat-model.js";
import { breakages } from "./support/doctor/breakages.js";
import { brokenServer } from "./support/doctor/broken-server.js";
import { command, inPipe, inTerminal, samples } from "./support/processes.js";
import { screenOf } from "./support/screen.js";

// The sessions of the README and of docs/ are run, and what they show is what came out. In a shell, in the folder with the
// samples.

const readme = new URL("../README.md", import.meta.url);
const page = new URL("../../../docs/command-line-sessions.md", import.meta.url);
const made = { command: "TOOLINGUA_WRITE=1 npx vitest run packages/cli/test/sessions.test.ts" };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-sessions-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sessions: [what: string, ...lines: string[]][] = [
  [
    "A reply with a call that is repaired, and a call of an unknown tool:",
    "toolingua parse reply.txt --tools tools.json; echo $?",
    "toolingua parse reply.txt --tools tools.json --explain",
  ],
  [
    "Tools from TypeScript, for Anthropic; the prompt that describes tools; where a grammar refuses a text:",
    "toolingua schema tools.ts --provider anthropic",
    "echo 'Weather in Oslo?' | toolingua render --tools tools.json --protocol xml --style compact",
    `toolingua grammar --tools tools.json --protocol hermes --test '<tool_call>\n{"name": "now", "arguments": {}, "id": 1}'`,
  ],
  ["Wire formats and models:", "toolingua protocols --model mistralai/Mistral-7B-Instruct-v0.3", "toolingua models"],
  [
    "A conversation as a document: validated, counted, converted to a trajectory, pruned to fit:",
    "toolingua pml validate broken.pml; echo $?",
    "toolingua pml count session.pml",
    "toolingua pml convert session.pml --to atif | head -n 6",
    "toolingua pml prune session.pml --max-tokens 180 --target 1 > /dev/null",
  ],
  ["An error with a suggestion:", "toolingua parse reply.txt --protocol hermse; echo $?"],
];

const shellTest = test.skipIf(process.platform === "win32");

shellTest("the README's chat matches the output of the command", async () => {
  expectMade(
    readme,
    `A chat, in which a call waits for approval:\n\n\`\`\`console\n${await chatSession()}\n\`\`\``,
    made,
  );
});

shellTest("the sessions of docs/ match the output of the commands", async () => {
  const shown: string[] = [];
  for (const [what, ...lines] of sessions) {
    const runs = [];
    for (const line of lines) runs.push(`$ ${line}\n${await shell(line)}`);
    shown.push(`${what}\n\n\`\`\`console\n${runs.join("\n\n")}\n\`\`\``);
  }
  shown.push(`The gateway, with one request of a client:\n\n\`\`\`console\n${await gatewaySession()}\n\`\`\``);
  shown.push(`A server with one fault, checked for Codex:\n\n\`\`\`console\n${await doctorSession()}\n\`\`\``);
  expectMade(page, shown.join("\n\n"), made);
});

async function shell(line: string): Promise<string> {
  const script = `toolingua() { "${process.execPath}" "${command}" "$@"; }\n{ ${line}\n} 2>&1`;
  const { TOOLINGUA_MODEL: _, ...env } = process.env;
  const child = spawn("sh", ["-c", script], { cwd: samples, env: { ...env, TOOLINGUA_CACHE: folder } });
  return (await text(child.stdout)).trimEnd();
}

async function chatSession(): Promise<string> {
  const { upstream } = await chatModel(
    call("read_temperature", { room: "kitchen" }),
    `It is 19 degrees there. I heat it.\n${call("set_temperature", { room: "kitchen", degrees: 21 })}`,
    "The kitchen is set to 21 degrees.",
  );
  const { shown } = await inTerminal(["chat", "--upstream", upstream, "--tools", "house.mjs"], {
    on: [
      [/> $/, "Make the kitchen warmer.\r"],
      [/reject it/, (_, { write }) => void setTimeout(() => write("y"), 300)],
      [/is set to[\s\S]*> $/, "\u0004"],
    ],
  });
  return `$ toolingua chat --model qwen2.5:7b --tools house.mjs\n${(await screenOf(shown)).replace(/\n+>$/, "")}`;
}

async function doctorSession(): Promise<string> {
  const items = breakages.find(({ title }) => title === "items are never done");
  const url = await brokenServer(items?.breaking ?? {});
  const { stdout } = await inPipe(["doctor", url, "--client", "codex", "--patience", "1"]);
  const plain = stdout.replaceAll(url, "http://localhost:8000").replace(/\d+\.\d s/, "… s");
  return `$ toolingua doctor http://localhost:8000 --client codex\n${plain.trimEnd()}`;
}

async function gatewaySession(): Promise<string> {
  const upstream = createServer((_, response) =>
    response.end(reply('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>').join("")),
  ).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  const args = ["serve", "--upstream", `http://127.0.0.1:${port}/v1`, "--model", "qwen2.5:7b", "--port", "0"];
  const child = spawn(process.execPath, [command, ...args], { cwd: samples });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      output += data;
    });
  }
  const until = async (pattern: RegExp) => {
    while (!pattern.test(output)) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  try {
    await until(/listening on .*\n[\s\S]*Anthropic.*\n/);
    const url = /listening on (\S+)/.exec(output)?.[1] ?? "";
    const message = { role: "user", content: "What time is it?" };
    const tools = [{ type: "function", function: { name: "now" } }];
    const body = JSON.stringify({ model: "qwen2.5:7b", messages: [message], tools });
    await (await fetch(`${url}/v1/chat/completions`, { method: "POST", body })).text();
    await until(/ chat .*\n/);
    const plain = output.replaceAll(url, "http://127.0.0.1:8000").replace(/\d+ ms/, "… ms");
    return `$ toolingua serve --upstream http://localhost:11434/v1 --model qwen2.5:7b\n${plain.trimEnd()}`;
  } finally {
    child.kill();
    upstream.close();
    upstream.closeAllConnections();
  }
}
