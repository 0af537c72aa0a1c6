import { isDeepStrictEqual } from "node:util";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { generateText, type LanguageModel, stepCountIs, streamText, type ToolSet, tool, wrapLanguageModel } from "ai";
import { ScriptedModel } from "../scripted-model.js";
import { type Call, type Conversation, type DescribedTool, schemas } from "./conversations.js";

/** What came of a conversation. */
export interface Outcome {
  runs: Call[];
  /** Of the last step. */
  text: string;
  finishReasons: string[];
  /** How many deltas of arguments a stream had, and whether those of each call joined to its input. */
  pieces: number;
  joins: boolean;
  /** The conversation ended with this error. */
  broken?: string;
}

export type Wrap = (model: LanguageModelV3) => LanguageModel;

const described: Record<string, DescribedTool> = Object.fromEntries(
  Object.entries(schemas).map(([name, inputSchema]) => [name, { inputSchema }]),
);

/** Runs a conversation whole or streamed. An error is an outcome. */
export async function run(conversation: Conversation, wrap: Wrap, streamed: boolean) {
  const model = new ScriptedModel({ replies: conversation.replies, size: 3 });
  const outcome: Outcome = { runs: [], text: "", finishReasons: [], pieces: 0, joins: true };
  const { messages = [{ role: "user", content: "Go." }], toolChoice, expected, below } = conversation;
  const tools: ToolSet = Object.fromEntries(
    Object.entries(conversation.tools ?? described).map(([name, about]) => [
      name,
      tool<Record<string, unknown>, string>({
        ...about,
        execute: async (input) => {
          outcome.runs.push([name, input]);
          return "ok";
        },
      }),
    ]),
  );
  const asked = {
    model: wrap(below ? wrapLanguageModel({ model, middleware: below }) : model),
    tools,
    messages,
    maxRetries: 0,
    allowSystemInMessages: true,
    // Where a call must come, the next step must make one too.
    stopWhen: stepCountIs(toolChoice && toolChoice !== "none" && toolChoice !== "auto" ? 1 : 5),
    ...(toolChoice && { toolChoice }),
  };
  try {
    if (streamed) await read(asked, outcome);
    else {
      const { text, steps } = await generateText(asked);
      outcome.text = text;
      outcome.finishReasons = steps.map(({ finishReason }) => finishReason);
    }
  } catch (error) {
    // A stream has told it before.
    outcome.broken ??= String(error);
  }
  return { outcome, right: isRight(outcome, conversation, streamed) && (expected.asked?.(model.calls) ?? true) };
}

async function read(asked: Parameters<typeof streamText>[0], outcome: Outcome): Promise<void> {
  const onError = ({ error }: { error: unknown }) => {
    outcome.broken = String(error);
  };
  const result = streamText({ ...asked, onError });
  const written = new Map<string, string>();
  for await (const part of result.fullStream) {
    if (part.type === "tool-input-start") written.set(part.id, "");
    if (part.type === "tool-input-delta") {
      outcome.pieces++;
      written.set(part.id, (written.get(part.id) ?? "") + part.delta);
    }
    if (part.type === "tool-call" && !("invalid" in part && part.invalid)) {
      const joined = written.get(part.toolCallId) ?? "";
      outcome.joins &&= isDeepStrictEqual(parsed(joined), part.input);
    }
    if (part.type === "finish-step") outcome.finishReasons.push(part.finishReason);
  }
  outcome.text = await result.text;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isRight(outcome: Outcome, { expected }: Conversation, streamed: boolean): boolean {
  const { runs, text, pieces, broken } = outcome;
  const isBroken = expected.error ? !expected.error.test(broken ?? "") : broken !== undefined;
  if (isBroken || !isDeepStrictEqual(runs, expected.runs)) return false;
  if (expected.text !== undefined && text.trim() !== expected.text) return false;
  return !streamed || pieces >= (expected.pieces ?? 0);
}
