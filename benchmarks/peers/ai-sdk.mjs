// The middleware of @ai-sdk-tool/parser, through its public interface: its prompt, and its reading of a reply.
import {
  hermesToolMiddleware,
  morphXmlToolMiddleware,
  qwen3CoderToolMiddleware,
  yamlXmlToolMiddleware,
} from "@ai-sdk-tool/parser";

const peer = (name, middleware) => ({
  name: `ai-sdk-tool ${name}`,

  async prompt(messages, tools) {
    const params = { tools: tools.map(toolOf), prompt: messages.map(messageOf) };
    const { prompt } = await middleware.transformParams({ type: "generate", params });
    return { messages: prompt.map(({ role, content }) => ({ role, content: textOf(content) })), stop: [] };
  },

  async parse(text, tools) {
    const failures = [];
    const onError = (message) => failures.push(message);
    const { prompt: _, ...params } = await middleware.transformParams({
      type: "generate",
      params: { tools: tools.map(toolOf), prompt: [], providerOptions: { toolCallMiddleware: { onError } } },
    });
    const doGenerate = async () => ({ content: [{ type: "text", text }], finishReason: "stop", usage: {} });
    const { content } = await middleware.wrapGenerate({ params, doGenerate });
    const calls = content
      .filter(({ type }) => type === "tool-call")
      .map(({ toolName, input }) => ({ name: toolName, arguments: JSON.parse(input) }));
    return { calls, failed: failures.length > 0, text: textOf(content) };
  },
});

export const aiSdk = [
  peer("hermes", hermesToolMiddleware),
  peer("morph-xml", morphXmlToolMiddleware),
  peer("yaml-xml", yamlXmlToolMiddleware),
  peer("qwen3-coder", qwen3CoderToolMiddleware),
];

const toolOf = ({ name, description, parameters }) => ({
  type: "function",
  name,
  description,
  inputSchema: parameters,
});

function messageOf(message) {
  if (message.role === "system") return message;
  if (message.role === "tool") {
    const { toolCallId, name, content } = message;
    const output = { type: "text", value: content };
    return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName: name, output }] };
  }
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input,
  }));
  const text = message.content === "" ? [] : [{ type: "text", text: message.content }];
  return { role: message.role, content: [...text, ...calls] };
}

const textOf = (content) =>
  typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("");
