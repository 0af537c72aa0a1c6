import { readFileSync } from "node:fs";
import * as coreTools from "@llamaindex/core/tools";
import { Ollama, type OllamaParams } from "@llamaindex/ollama";
import * as workflow from "@llamaindex/workflow";
import * as tools from "@toolingua/tools";
import { transformWithEsbuild } from "vite";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { loopbackServer } from "../../../test/support/loopback-server.js";
import * as llamaindex from "../src/index.js";
import { call } from "./scripted-llm.js";

// The examples of the README, word for word, on LlamaIndex's own LLM for Ollama; only its server is a scripted one.

let replies: string[] = [];
const asked: { options: { num_ctx: number }; tools?: unknown }[] = [];
const port = await loopbackServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  asked.push(JSON.parse(body));
  const message = { role: "assistant", content: replies.shift() };
  response.end(`${JSON.stringify({ message, done: true, done_reason: "stop" })}\n`);
});

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [first = "", second = ""] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

/** Runs code with the names in scope that its imports bring; gives what it logs. */
async function run(code: string, said: readonly string[], more: Record<string, unknown> = {}): Promise<unknown[]> {
  const logged: unknown[] = [];
  replies = [...said];
  asked.length = 0;
  const scope = {
    tool: coreTools.tool,
    agent: workflow.agent,
    ToolSpec: tools.ToolSpec,
    z,
    ...llamaindex,
    ...more,
    Ollama: class extends Ollama {
      constructor(params: OllamaParams) {
        super({ ...params, config: { host: `http://127.0.0.1:${port}` } });
      }
    },
    console: { log: (...all: unknown[]) => logged.push(...all) },
    done: Promise.resolve(),
  };
  const body = `done = (async () => {${code.replace(/^import .*$/gm, "")}})();`;
  const plain = await transformWithEsbuild(body, "example.ts", { target: "es2022" });
  await new Function(...Object.keys(scope), `${plain.code}\nreturn done;`)(...Object.values(scope));
  return logged;
}

describe("the README's example", () => {
  it("of an agent answers 42", async () => {
    const reply = "<add><a>17</a><b>25</b></add>";
    expect(await run(first, [reply, "It is 42."])).toEqual(["It is 42."]);
    expect(asked).toMatchObject([{ options: { num_ctx: 8192 } }, { options: { num_ctx: 8192 } }]);
    for (const { tools } of asked) expect(tools ?? []).toEqual([]);
  });

  it("of a decorated class runs its tools", async () => {
    const replies = [call("open", { title: "Leak" }), "Opened."];
    expect(await run(second, replies, { tool: tools.tool })).toEqual(["Opened."]);
  });

  it("lists the tested versions", () => {
    const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    for (const name of ["core", "env", "workflow", "ollama"])
      expect(readme).toContain(`@llamaindex/${name}@${devDependencies[`@llamaindex/${name}`]} `);
  });
});
