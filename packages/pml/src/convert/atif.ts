import type { ChatMessage } from "@toolingua/core";
import {
  checkOptions,
  converted,
  isObject,
  jsonPointer,
  type Losses,
  listAt,
  type OptionRules,
  objectAt,
} from "@toolingua/core/adapters";
import { type Converted, ProviderFormatError } from "@toolingua/core/providers";
import { checkTree } from "../schema/check-tree.js";
import type { PmlDocument, PmlMemoryItem, PmlMessage, PmlPart, PmlToolOutput } from "../tree.js";
import { contentParts, textOfParts } from "./content-parts.js";
import { documentOf } from "./document-of.js";
import { conversationIn, madeCall, type ToMessagesOptions, toolsOf } from "./messages.js";
import { toMessagesRules } from "./said.js";
import { loseRest, texts } from "./values.js";
import { writableText } from "./writable-text.js";

/** A trajectory in the Agent Trajectory Interchange Format, version 1.7 (Harbor's RFC 0001). */
export interface AtifTrajectory {
  schema_version: string;
  session_id: string;
  agent: { name: string; version: string; model_name?: string; tool_definitions?: unknown[] };
  steps: AtifStep[];
  extra?: Record<string, unknown>;
}

export interface AtifStep {
  /** From 1. */
  step_id: number;
  source: "system" | "user" | "agent";
  message: string;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: Record<string, unknown> }[];
  observation?: { results: { source_call_id: string; content: string }[] };
}

/** The agent of a trajectory without one: ATIF requires it. */
const OURS = { name: "toolingua", version: "1" };

/** The agent, which a document does not record. */
export interface ToAtifOptions extends ToMessagesOptions {
  agent?: { name: string; version: string; model_name?: string } | undefined;
}

const atifRules: OptionRules<ToAtifOptions> = {
  ...toMessagesRules,
  agent: {
    takes: (value) => isObject(value) && typeof value.name === "string" && typeof value.version === "string",
    words: 'an object such as { name: "my-agent", version: "1.0" }',
  },
};

/**
 * Converts a document to a trajectory of ATIF. The memory is in `extra`, results are in the step of their calls.
 *
 * Errors: `PmlTreeError` `bad-tree`; `OptionsError`.
 *
 * @example toAtif(document, { agent: { name: "my-agent", version: "1.0", model_name: "qwen3" } }).value;
 */
export function toAtif(document: PmlDocument, given: ToAtifOptions = {}): Converted<AtifTrajectory> {
  checkOptions(atifRules, given, "the options of toAtif");
  checkTree(document);
  const { agent, ...options } = given;
  return converted((losses) => {
    const { memory, conversation: talk, tools } = document;
    const kept = memory?.length ? { extra: { memory } } : {};
    const rest = { ...document };
    if (memory?.length) delete rest.memory;
    if (talk?.topic !== undefined) losses.add("/conversation/topic", "topic", "has no counterpart in ATIF");
    if (tools?.choice !== undefined) losses.add("/tools/choice", "choice", "has no counterpart in ATIF");
    const { topic: _, ...plain } = talk ?? { turns: [] };
    const { id, ...untitled } = plain;
    const { conversation, origins } = conversationIn(
      { ...rest, ...(talk && { conversation: untitled }) },
      losses,
      options,
    );
    if (id === undefined) losses.add("/conversation/id", "id", "ATIF needs one: it is empty");
    const steps: AtifStep[] = [];
    for (const [i, message] of conversation.messages.entries()) addStep(steps, message, origins[i] ?? "", losses);
    return {
      ...{ schema_version: "ATIF-v1.7", session_id: id ?? "" },
      agent: {
        ...(agent ?? OURS),
        ...(tools && { tool_definitions: tools.list.map((tool) => ({ type: "function", function: tool })) }),
      },
      steps,
      ...kept,
    };
  });
}

/** Adds a message as a step; a result, to the step that made its call. */
function addStep(steps: AtifStep[], message: ChatMessage, at: string, losses: Losses): void {
  const step_id = steps.length + 1;
  const { content } = message;
  switch (message.role) {
    case "tool": {
      const { toolCallId, name, isError } = message;
      if (isError) losses.add(at, "status", "ATIF does not say that a result is an error");
      const result = { source_call_id: toolCallId, content };
      const last = steps.at(-1);
      const isCalled = last?.tool_calls?.some((one) => one.tool_call_id === toolCallId && one.function_name === name);
      if (last && isCalled) {
        last.observation = { results: [...(last.observation?.results ?? []), result] };
      } else {
        losses.add(at, "tool_output", "is in no step that made its call");
        steps.push({ step_id, source: "system", message: "", observation: { results: [result] } });
      }
      return;
    }
    case "assistant": {
      const calls = message.toolCalls?.map(({ id, name, arguments: args }) => ({
        ...{ tool_call_id: id, function_name: name, arguments: args },
      }));
      steps.push({
        ...{ step_id, source: "agent", message: content },
        ...(message.reasoning && { reasoning_content: message.reasoning }),
        ...(calls && { tool_calls: calls }),
      });
      return;
    }
    default:
      if (message.role === "user" && message.images) losses.add(at, "images", "are omitted");
      steps.push({ step_id, source: message.role, message: content });
  }
}

/**
 * Converts a trajectory of ATIF to a document. Reports cost, time and tokens as left out.
 *
 * Errors: `ProviderFormatError` for data that is not a trajectory.
 *
 * @example fromAtif(JSON.parse(await readFile("trajectory.json", "utf8"))).value;
 */
export function fromAtif(trajectory: unknown): Converted<PmlDocument> {
  return converted((losses) => {
    const given = objectAt(trajectory, "", "a trajectory: { schema_version, session_id, agent, steps }");
    const { session_id: id, agent, steps, extra } = given;
    losses.rest(given, ["schema_version", "session_id", "agent", "steps", "extra"], "");
    const { memory, ...others } = isObject(extra) ? extra : {};
    losses.rest(others, [], "/extra");
    const about = isObject(agent) ? agent : {};
    // The placeholder for a missing agent is not an agent.
    const isOurs = about.name === OURS.name && about.version === OURS.version;
    losses.rest(about, ["tool_definitions", ...(isOurs ? ["name", "version"] : [])], "/agent");
    const defined =
      about.tool_definitions == null ? undefined : listAt(about.tool_definitions, "/agent/tool_definitions");
    const tools = defined?.map((one, i) => {
      const path = jsonPointer("/agent/tool_definitions", i);
      const outer = objectAt(one, path);
      if (!isObject(outer.function)) return outer;
      loseRest(outer, ["type", "function"], path, losses);
      return outer.function;
    });
    const nodes = listAt(steps, "/steps").flatMap((step, i) => nodesOf(step, jsonPointer("/steps", i), losses));
    const items = memoryOf(memory, losses);
    return documentOf(nodes, {
      ...(typeof id === "string" && id !== "" && { id: writableText(id, "/session_id", losses) }),
      tools: tools && toolsOf({ tools }, losses, "/agent/tool_definitions"),
      ...(items && { memory: items }),
    });
  });
}

function memoryOf(memory: unknown, losses: Losses): PmlMemoryItem[] | undefined {
  if (memory === undefined) return undefined;
  const tree: unknown = { version: "1", memory };
  try {
    checkTree(tree);
    return tree.memory?.map((item, i) => ({
      ...item,
      ...texts({ ...item }, ["text", "id", "alt"], jsonPointer("/extra/memory", i), losses),
    }));
  } catch {
    losses.add("/extra/memory", "memory", "is not a memory of PML");
    return undefined;
  }
}

function nodesOf(given: unknown, path: string, losses: Losses): (PmlMessage | PmlToolOutput)[] {
  const step = objectAt(given, path, "a step: { step_id, source, message }");
  losses.rest(step, ["step_id", "source", "message", "reasoning_content", "tool_calls", "observation"], path);
  const { source, message, reasoning_content: reasoning, tool_calls: calls, observation } = step;
  const type = source === "agent" ? "assistant" : source;
  if (type !== "assistant" && type !== "user" && type !== "system") {
    throw new ProviderFormatError(jsonPointer(path, "source"), '"system", "user" or "agent"', source);
  }
  const thinking = contentParts(reasoning, jsonPointer(path, "reasoning_content"), losses).flatMap((part): PmlPart[] =>
    part.type === "text" ? [{ type: "thinking", text: part.text }] : [],
  );
  const at = jsonPointer(path, "tool_calls");
  const made = (calls == null ? [] : listAt(calls, at)).map((call, i): PmlPart => {
    const where = jsonPointer(at, i);
    const given = objectAt(call, where);
    loseRest(given, ["tool_call_id", "function_name", "arguments"], where, losses);
    const { tool_call_id: id, function_name: name, arguments: args } = given;
    return madeCall(id, name, args, where, losses);
  });
  const parts = [...thinking, ...contentParts(message, jsonPointer(path, "message"), losses), ...made];
  if (isObject(observation)) loseRest(observation, ["results"], jsonPointer(path, "observation"), losses);
  const results = isObject(observation)
    ? listAt(observation.results ?? [], jsonPointer(path, "observation", "results"))
    : [];
  const outputs = results.map((result, i): PmlToolOutput => {
    const where = jsonPointer(path, "observation", "results", i);
    const given = objectAt(result, where);
    loseRest(given, ["source_call_id", "content"], where, losses);
    const { source_call_id: call } = texts(given, ["source_call_id"], where, losses);
    const said = contentParts(given.content, jsonPointer(where, "content"), losses);
    return { type: "tool_output", ...(call !== undefined && { call }), ...textOfParts(said, where, losses) };
  });
  // A system step with only observations is not a message.
  return parts.length === 0 && outputs.length > 0 && type === "system" ? outputs : [{ type, parts }, ...outputs];
}
