// LlamaIndex's ReAct agent. Its prompt and parser are not exported: they are reached by running the agent with a model
// that records its requests, or returns a given reply, and with tools that record their calls.
//
// LlamaIndex is loaded when it is asked: it takes longer than all the others together.
const FINISHED = "Thought: That is all.\nAnswer: Done.";

/** A model that returns these replies in turn, and records the messages of each request. */
function scripted(...replies) {
  const requests = [];
  const llm = {
    metadata: { model: "scripted", temperature: 0, topP: 1, contextWindow: 1e6, tokenizer: undefined },
    async chat({ messages }) {
      requests.push(messages);
      return { raw: null, message: { role: "assistant", content: replies[requests.length - 1] ?? FINISHED } };
    },
  };
  return { llm, requests };
}

async function agentOf(llm, tools, onCall) {
  const { FunctionTool } = await import("llamaindex");
  const { ReActAgent } = await import("llamaindex/agent");
  return new ReActAgent({
    llm,
    tools: tools.map(({ name, description, parameters }) =>
      FunctionTool.from((args) => onCall(name, args), { name, description, parameters }),
    ),
  });
}

export const llamaindex = [
  {
    name: "LlamaIndex ReAct",
    async prompt(messages, tools) {
      const asked = messages.findLastIndex(({ role }) => role === "user");
      const since = messages.slice(asked + 1);
      // Replies since the user's last message are repeated, and each call gets its recorded result.
      const replies = since.filter(({ role }) => role === "assistant").map(({ reply }) => reply);
      const results = since.filter(({ role }) => role === "tool").map(({ content }) => content);
      const { llm, requests } = scripted(...replies, FINISHED);
      const chatHistory = messages
        .slice(0, asked)
        .filter(({ role, toolCalls }) => role !== "tool" && !toolCalls?.length)
        .map(({ role, content }) => ({ role, content }));
      const agent = await agentOf(llm, tools, () => results.shift() ?? "");
      await agent.chat({ message: messages[asked].content, chatHistory });
      return { messages: requests.at(-1).map(({ role, content }) => ({ role, content })), stop: [] };
    },
    async parse(text, tools) {
      const calls = [];
      const { llm } = scripted(text, FINISHED);
      const onCall = (name, args) => {
        calls.push({ name, arguments: args });
        return "";
      };
      try {
        const agent = await agentOf(llm, tools, onCall);
        const { message } = await agent.chat({ message: "?" });
        return { calls, failed: false, text: calls.length > 0 ? "" : message.content };
      } catch {
        return { calls, failed: calls.length === 0, text };
      }
    },
  },
];
