import { toAiSdkTools, withToolCalling } from "@toolingua/ai-sdk";
import { type LanguageModelMiddleware, Output, ToolLoopAgent, type ToolSet, wrapLanguageModel } from "ai";
import { ScriptedModel } from "../../packages/ai-sdk/test/scripted-model.js";
import { answerSchema, Desk, type Scenario } from "./scenarios.js";
import { type Outcome, type Setting, written } from "./script.js";

/** The AI SDK's `ToolLoopAgent`, which takes a structured answer as JSON and not by a tool. */
export async function runOnAiSdk(setting: Setting): Promise<Outcome> {
  const { scenario, protocol, stream } = setting;
  const desk = new Desk();
  const inner = new ScriptedModel({ replies: repliesOf(setting) });
  const tools: ToolSet = toAiSdkTools(desk);
  const { mustCall } = scenario;
  const firstTurn: LanguageModelMiddleware = {
    specificationVersion: "v3",
    transformParams: async ({ params }) =>
      mustCall && inner.calls.length === 0 ? { ...params, toolChoice: { type: "tool", toolName: mustCall } } : params,
  };
  const agent = new ToolLoopAgent({
    model: wrapLanguageModel({ model: withToolCalling(inner, { protocol }), middleware: firstTurn }),
    tools,
    ...(scenario.structured && { output: Output.object({ schema: answerSchema }) }),
  });
  const result = stream ? await agent.stream({ prompt: "Go." }) : await agent.generate({ prompt: "Go." });
  if ("consumeStream" in result) await result.consumeStream();
  const answer = scenario.structured ? await result.output : await result.text;
  return { runs: desk.runs, answer, requests: inner.calls.map((_, i) => inner.text(i)) };
}

const repliesOf = (setting: Setting): string[] =>
  written(setting, "answer").map((text, i) => answerIn(setting.scenario, i) ?? text);

/** The structured answer of a reply, as JSON. */
function answerIn({ replies }: Scenario, i: number): string | undefined {
  const reply = replies[i];
  const answers =
    typeof reply === "object" ? reply.calls.flatMap((call) => ("answer" in call ? [call.answer] : [])) : [];
  return answers.length > 0 ? JSON.stringify(answers[0]) : undefined;
}
