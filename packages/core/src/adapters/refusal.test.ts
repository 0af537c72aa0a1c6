import { describe, expect, it } from "vitest";
import { refusalMessage, refusalOf } from "./refusal.js";

const error = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

// As the clients throw them: message, status and body as they were seen in the field.
const refused: [string, unknown, "tools" | "choice"][] = [
  ["Ollama", error("registry.ollama.ai/library/gemma3:latest does not support tools", { status_code: 400 }), "tools"],
  [
    "Ollama through OpenAI's client",
    error("400 stablelm2:latest does not support tools", { status: 400, error: { type: "api_error", param: null } }),
    "tools",
  ],
  [
    "vLLM without a parser",
    error('400 "auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', {
      status: 400,
    }),
    "tools",
  ],
  ["llama.cpp without a template", error("500 tools param requires --jinja flag", { status: 500 }), "tools"],
  [
    "Gemma on Google",
    error(
      "[GoogleGenerativeAI Error]: Error fetching from https://generativelanguage.googleapis.com/v1beta/models/gemma-3-27b-it:generateContent: [400 Bad Request] Function calling is not enabled for models/gemma-3-27b-it",
      { status: 400 },
    ),
    "tools",
  ],
  ["deepseek-reasoner", error("400 deepseek-reasoner does not support Function Calling", { status: 400 }), "tools"],
  [
    "deepseek-reasoner, of a choice",
    error("400 deepseek-reasoner does not support this tool_choice", { status: 400, code: "invalid_request_error" }),
    "choice",
  ],
  ["DeepSeek thinking", error("400 Thinking mode does not support this tool_choice", { status: 400 }), "choice"],
  [
    "OpenRouter",
    error(
      "404 No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
      { status: 404 },
    ),
    "tools",
  ],
  [
    "Bedrock",
    error("This model doesn't support tool use.", { name: "ValidationException", $metadata: { httpStatusCode: 400 } }),
    "tools",
  ],
  ["Bedrock, streaming", error("This model doesn't support tool use in streaming mode."), "tools"],
  [
    "OpenAI",
    error(
      "400 tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.",
      { status: 400 },
    ),
    "tools",
  ],
  ["Azure", error("400 Unsupported parameter: 'tools' is not supported with this model.", { status: 400 }), "tools"],
  ["Groq", error("400 `tool calling` is not supported with this model", { status: 400 }), "tools"],
  [
    "Hugging Face",
    error("400 Bad request", {
      status: 400,
      error: { message: 'Supported tool_choice values are "auto" and "none" currently.', param: "tool_choice" },
    }),
    "choice",
  ],
  [
    "a body that only the client keeps",
    error("400", { status: 400, error: "gemma:2b does not support tools" }),
    "tools",
  ],
  ["a cause", error("fetch failed", { cause: error("mistral-7b does not support tools") }), "tools"],
  [
    "BedrockChat's bindTools",
    error("Currently, tool calling through Bedrock is only supported for Anthropic models."),
    "tools",
  ],
  ["ChatDeepInfra's bindTools", error("Tool choice is not supported for ChatDeepInfra currently."), "choice"],
  ["LM Studio", error("Invalid tool_choice type: 'object'. Supported string values: none, auto, required"), "choice"],
  [
    "a server that names the field apart",
    error("400 Invalid value: 'required'. Supported values are: 'none', 'auto'.", {
      status: 400,
      param: "tool_choice",
    }),
    "choice",
  ],
  ["a field apart, in the body", { error: { message: "Unsupported parameter.", param: "tools" } }, "tools"],
  ["a proxy's 403", error("403 This model does not support tools.", { status: 403 }), "tools"],
  ["a model that thinks", error("Thinking may not be enabled when tool_choice forces tool use."), "choice"],
  ["a mode", error('tool_choice="required" is not compatible with thinking mode'), "choice"],
  ["auto or none", error("tool_choice must be 'auto' or 'none'"), "choice"],
  ["auto only", error("tool_choice only supports auto"), "choice"],
  ["only auto", error("Only `auto` tool choice is supported"), "choice"],
  ["a field of Bedrock", error("This model doesn't support the toolConfig field. Remove toolConfig."), "tools"],
  ["a field", error("400 'tools' is not a valid parameter"), "tools"],
  ["a switch", error("Tool use is disabled"), "tools"],
  ["a model that cannot", error("gemma cannot use tools"), "tools"],
  ["a model that is not able to", error("This model is not able to call tools"), "tools"],
  ["no tool support", error("llama-2 does not have tool support"), "tools"],
  ["two sentences", error("Check the tools field. It is not supported here."), "tools"],
  ["tools, and parallel calls of them", error("not supported: ['tools', 'parallel_tool_calls']"), "tools"],
];

const others: [string, unknown][] = [
  ["a wrong key", error("401 Incorrect API key provided; tools are not available without one", { status: 401 })],
  ["a rate limit", error("429 Rate limit reached: tool use is not available right now", { status: 429 })],
  ["a wrong schema", error("400 Invalid schema for function 'add': 'oneOf' is not permitted.", { status: 400 })],
  [
    "a field Gemini does not know",
    error("400 Unknown name \"exclusiveMinimum\" at 'tools[0].function_declarations[0]': Cannot find field.", {
      status: 400,
    }),
  ],
  [
    "a history that does not fit",
    error(
      "400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      { status: 400 },
    ),
  ],
  ["a long prompt", error("400 This model's maximum context length is 8192 tokens.", { status: 400 })],
  ["a temperature", error("400 Unsupported value: 'temperature' does not support 0 with this model.", { status: 400 })],
  ["images", error("400 this model does not support images", { status: 400 })],
  ["a lost connection", error("fetch failed", { cause: error("ECONNREFUSED") })],
  ["an abort", new DOMException("This operation was aborted", "AbortError")],
  ["parallel calls", error("400 Parallel function calls are not supported", { status: 400 })],
  ["strict tools", error("400 tools with strict mode are not supported", { status: 400 })],
  ["a tool by name", error("400 You are not allowed to use functions named eval", { status: 400 })],
  ["a policy", error("400 Your input mentions tools which are not supported by the safety policy", { status: 400 })],
  ["a kind of tool", error("Invalid 'tools[0].type'. Supported values are: 'function'.", { param: "tools[0].type" })],
  ["a right", error("403 Your key is not allowed to use tools", { status: 403 })],
  ["a broken call", error("The arguments of the function call are not valid JSON")],
  ["a tool that failed", error("The function returned nothing")],
  ["a format beside tools", error("400 response_format json_schema is not supported together with tools")],
  ["images beside tools", error("400 Image inputs are not supported when tools are used", { status: 400 })],
  ["stop beside tools", error("400 stop is not supported with tools", { status: 400 })],
  ["effort beside tools", error("400 reasoning_effort is not supported with function tools in /v1/chat/completions")],
  ["tools beside effort", error("400 Function tools with reasoning_effort are not supported for gpt-5.5.")],
  ["too many tools", error("400 The model does not support more than 128 tools", { status: 400 })],
  [
    "a role, in a request with tools",
    error("400 Unsupported value: 'messages[0].role' does not support 'system' with this model. tools", {
      status: 400,
    }),
  ],
  ["no error", undefined],
];

describe("a refusal of tools", () => {
  it.each(refused)("is recognised: %s", (_, thrown, refusal) => expect(refusalOf(thrown)).toBe(refusal));
  it.each(others)("is not recognised in %s", (_, thrown) => expect(refusalOf(thrown)).toBeUndefined());
});

describe("the message of a refusal", () => {
  it("is text, whatever was thrown", () => {
    expect(refusalMessage({ error: { message: "no tools" } })).toBe("no tools");
    expect(refusalMessage({ code: 7 })).toBe('{"code":7}');
    expect(refusalMessage("no")).toBe("no");
  });
});
