// The parsers, each called as its users call it.
import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from "@ai-sdk-tool/parser";
import { StructuredChatOutputParser } from "@langchain/classic/agents";
import { createReplyParser, parseReply } from "@toolingua/core";
import { tools } from "./cases.mjs";

export const ours = {
  parse: (protocol, reply) => parseReply(reply, { protocol, tools }),
  calls: ({ toolCalls }) => toolCalls.map(({ name, arguments: args }) => ({ name, args })),
  /** Streams a reply and returns the last call. */
  stream(protocol, chunks) {
    const parser = createReplyParser({ protocol, tools });
    let events = 0;
    for (let i = 0; i < chunks.length; i++) events += parser.push(chunks[i]).length;
    const [last] = parser.end().concat({ type: "none" });
    return events > 0 ? last : undefined;
  },
};

const peerTools = tools.map(({ name, description, parameters }) => ({
  type: "function",
  name,
  description,
  inputSchema: parameters,
}));
const peerProtocols = {
  hermes: hermesProtocol(),
  "qwen3-coder": qwen3CoderProtocol(),
  "morph-xml": morphXmlProtocol(),
};

const aiSdk = {
  name: "@ai-sdk-tool/parser",
  parse: (protocol, reply) => peerProtocols[protocol].parseGeneratedText({ text: reply, tools: peerTools }),
  calls: (parts) =>
    parts
      .filter(({ type }) => type === "tool-call")
      .map(({ toolName, input }) => ({ name: toolName, args: JSON.parse(input) })),
  async stream(protocol, chunks) {
    const source = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: "text-start", id: "1" });
        for (const delta of chunks) controller.enqueue({ type: "text-delta", id: "1", delta });
        controller.enqueue({ type: "text-end", id: "1" });
        controller.enqueue({ type: "finish", finishReason: "stop", usage: {} });
        controller.close();
      },
    });
    let call;
    const parser = peerProtocols[protocol].createStreamParser({ tools: peerTools });
    for await (const part of source.pipeThrough(parser)) if (part.type === "tool-call") call = part;
    return call;
  },
};

const structuredChat = new StructuredChatOutputParser({ toolNames: tools.map(({ name }) => name) });

/** One regular expression and `JSON.parse`: it knows no schema. */
const langchain = {
  name: "LangChain structured chat",
  parse: (_, reply) => structuredChat.parse(reply),
  calls: ({ tool, toolInput }) => [{ name: tool, args: toolInput }],
};

export const peers = { aiSdk, langchain };
