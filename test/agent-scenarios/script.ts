import { getProtocol, type ProtocolName, toJsonSchema } from "@toolingua/core";
import { answerSchema, Desk, type Scenario } from "./scenarios.js";

/** How a framework runs a scenario. */
export interface Setting {
  scenario: Scenario;
  protocol: ProtocolName;
  /** Whether the agent is streamed. */
  stream: boolean;
}

/** What came of it. */
export interface Outcome {
  runs: unknown[];
  answer: unknown;
  /** The text of each request to the model. */
  requests: string[];
}

/** What the model writes, as text of this protocol. `answerTool`: the tool by which the framework takes a structured answer. */
export function written({ scenario, protocol }: Setting, answerTool: string): string[] {
  const tools = [...new Desk().toToolList(), { name: answerTool, parameters: toJsonSchema(answerSchema) }];
  return scenario.replies.map((reply) => {
    if (typeof reply === "string") return reply;
    const calls = reply.calls.map((call) => ("answer" in call ? { name: answerTool, arguments: call.answer } : call));
    const text = getProtocol(protocol).renderCalls(calls, { tools });
    return reply.text ? `${reply.text}\n${text}` : text;
  });
}
