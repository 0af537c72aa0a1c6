import { readFileSync } from "node:fs";
import * as coreTools from "@llamaindex/core/tools";
import * as workflow from "@llamaindex/workflow";
import * as tools from "@toolingua/tools";
import { transformWithEsbuild } from "vite";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as llamaindex from "../src/index.js";
import { call, type Reply, ScriptedLLM } from "./scripted-llm.js";

// The examples of the README, word for word; only the model is a scripted one.

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [first = "", second = ""] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

/** Runs code with the names in scope that its imports bring; gives what it logs. */
async function run(code: string, replies: readonly Reply[], more: Record<string, unknown> = {}): Promise<unknown[]> {
  const logged: unknown[] = [];
  const scope = {
    tool: coreTools.tool,
    agent: workflow.agent,
    ToolSpec: tools.ToolSpec,
    z,
    ...llamaindex,
    ...more,
    EmbeddedLLM: class extends ScriptedLLM {
      constructor() {
        super({ replies });
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
  });

  it("of a decorated class runs its tools", async () => {
    const replies = [call("open", { title: "Leak" }), "Opened."];
    expect(await run(second, replies, { tool: tools.tool })).toEqual(["Opened."]);
  });

  it("lists the tested versions", () => {
    const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(readme).toContain(`@llamaindex/core@${devDependencies["@llamaindex/core"]} `);
    expect(readme).toContain(`@llamaindex/workflow@${devDependencies["@llamaindex/workflow"]} `);
  });
});
