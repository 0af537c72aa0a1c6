import type { ChatMessage } from "@llamaindex/core/llms";
import { agent, stopAgentEvent } from "@llamaindex/workflow";
import { type ToolCallingLLM, toLlamaIndexTools, withToolCalling } from "@toolingua/llamaindex";
import { ScriptedLLM } from "../../packages/llamaindex/test/scripted-llm.js";
import { answerSchema, Desk, type Scenario } from "./scenarios.js";
import { type Outcome, type Setting, written } from "./script.js";

type Tools = ReturnType<typeof toLlamaIndexTools>;

/** LlamaIndex's `agent`; where a call is forced, which its agents cannot say, the loop over `exec`. */
export async function runOnLlamaIndex(setting: Setting): Promise<Outcome> {
  const { scenario, protocol, stream } = setting;
  const desk = new Desk();
  const inner = new ScriptedLLM({ replies: written(setting, "format_output") });
  const llm = withToolCalling(inner, { protocol });
  const tools = toLlamaIndexTools(desk);
  const run = scenario.mustCall || scenario.structured ? runExec : runAgent;
  const answer = await run(llm, tools, scenario, stream);
  return { runs: desk.runs, answer, requests: inner.requests.map((_, i) => inner.text(i)) };
}

async function runAgent(llm: ToolCallingLLM, tools: Tools, _: Scenario, stream: boolean): Promise<unknown> {
  const made = agent({ llm, tools });
  if (!stream) return (await made.run("Go.")).data.result;
  let answer: unknown;
  for await (const event of made.runStream("Go.")) if (stopAgentEvent.include(event)) answer = event.data.result;
  return answer;
}

async function runExec(llm: ToolCallingLLM, tools: Tools, scenario: Scenario, stream: boolean): Promise<unknown> {
  const { mustCall, structured } = scenario;
  const messages: ChatMessage[] = [{ role: "user", content: "Go." }];
  for (;;) {
    const params = {
      messages,
      tools,
      ...(structured && { responseFormat: answerSchema }),
      ...(mustCall && messages.length === 1 && { additionalChatOptions: { tool_choice: mustCall } }),
    };
    const done = stream ? await llm.exec({ ...params, stream }) : await llm.exec(params);
    if ("stream" in done) for await (const chunk of done.stream) void chunk;
    messages.push(...(typeof done.newMessages === "function" ? done.newMessages() : done.newMessages));
    if (done.object) return done.object;
    if (done.toolCalls.length === 0) return messages.at(-1)?.content;
  }
}
