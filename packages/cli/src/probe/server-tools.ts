import { type ToolDefinition, validateValue } from "@toolingua/core";
import { isObject, serverMessage, shallowJson, whyUnreachable } from "@toolingua/core/adapters";
import { openai } from "@toolingua/core/providers";
import { EndpointError } from "@toolingua/endpoints";
import { at, listAt, textAt } from "../json.js";
import type { Server } from "../model-source/ask-server.js";
import { bearer } from "../model-source/bearer.js";
import type { MadeCall } from "./judge.js";

/** A model's answer through its server's own tools. */
interface ServerToolsReply {
  text: string;
  calls: MadeCall[];
  /** Whether each call names an existing tool and has arguments that match its schema. */
  valid: boolean;
  cut: boolean;
  tokensIn: number;
  tokensOut: number;
}

interface ServerToolsRequest {
  model: string;
  content: string;
  tools: readonly ToolDefinition[];
  toolChoice: "auto" | "required";
  maxTokens: number;
  seed: number;
  /** Ends the request. Its reason is thrown. */
  signal: AbortSignal;
}

/**
 * Sends a request with tools, as an ordinary client does: the server shows them to the model, and parses its calls.
 *
 * Errors: `EndpointError` `connect`, `http`, `bad-stream`; the reason of an abort.
 */
export async function askServerTools(server: Server, request: ServerToolsRequest): Promise<ServerToolsReply> {
  const { model, content, tools, toolChoice, maxTokens, seed, signal } = request;
  const body = {
    model,
    messages: [{ role: "user", content }],
    tools: openai.toTools(tools).value,
    tool_choice: toolChoice,
    temperature: 0,
    seed,
  };
  const first = await post(server, { ...body, max_tokens: maxTokens }, signal);
  const isRenamed = first.status === 400 && first.text.includes("max_completion_tokens");
  const { status, text } = isRenamed
    ? await post(server, { ...body, max_completion_tokens: maxTokens }, signal)
    : first;
  if (status !== 200) {
    const reason = (serverMessage(shallowJson(text)) ?? text.trim()).slice(0, 500);
    throw new EndpointError("http", `The server answered ${status}: ${reason}`, { status });
  }
  return read(text, tools);
}

async function post({ baseURL, apiKey }: Server, body: object, signal: AbortSignal) {
  const url = new URL(baseURL);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...bearer(apiKey),
      },
      body: JSON.stringify(body),
      redirect: "manual",
      signal,
    });
    const text = await response.text();
    // Some servers repeat the key that they reject.
    return { status: response.status, text: apiKey === undefined ? text : text.replaceAll(apiKey, "***") };
  } catch (error) {
    signal.throwIfAborted();
    const { words } = whyUnreachable(error);
    throw new EndpointError("connect", `Cannot reach ${url.origin}${url.pathname}: ${words}.`, { cause: error });
  }
}

function read(text: string, tools: readonly ToolDefinition[]): ServerToolsReply {
  const answer = shallowJson(text);
  const message = at(answer, "choices", 0, "message");
  if (message === undefined)
    throw new EndpointError("bad-stream", `This is not the answer of a chat endpoint: ${text.trim().slice(0, 200)}`);
  const calls = listAt(message, "tool_calls").map(madeCall);
  return {
    text: textAt(message, "content") ?? "",
    calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args ?? {} })),
    valid: calls.every(({ name, arguments: args }) => {
      const tool = tools.find((one) => one.name === name);
      return tool !== undefined && args !== undefined && validateValue(args, tool.parameters ?? true).length === 0;
    }),
    cut: at(answer, "choices", 0, "finish_reason") === "length",
    tokensIn: numberOf(at(answer, "usage", "prompt_tokens")),
    tokensOut: numberOf(at(answer, "usage", "completion_tokens")),
  };
}

/** `arguments` is undefined if they are not a JSON object. Some servers send the object itself. */
function madeCall(call: unknown): { name: string; arguments: Record<string, unknown> | undefined } {
  const given = at(call, "function", "arguments");
  const args = typeof given === "string" ? shallowJson(given === "" ? "{}" : given) : given;
  return { name: textAt(call, "function", "name") ?? "", arguments: isObject(args) ? args : undefined };
}

const numberOf = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);
