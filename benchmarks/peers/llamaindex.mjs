// LlamaIndex's ReAct agent. Prompt and parser are its own, not exported: they are reached by running the agent with a model
// that records what it is sent, or says what was written, and with tools that record how they are called.
import { FunctionTool } from "llamaindex";
import { ReActAgent } from "llamaindex/agent";

const FINISHED = "Thought: That is all.\nAnswer: Done.";

/** A model that says these replies in turn, and keeps the messages of each request. */
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

const agentOf = (llm, tools, onCall) =>
  new ReActAgent({
    llm,
    tools: tools.map(({ name, description, parameters }) =>
      FunctionTool.from((args) => onCall(name, args), { name, description, parameters }),
    ),
  });

export const llamaindex = [
  {
    name: "LlamaIndex ReAct",
    async prompt(messages, tools) {
      const { llm, requests } = scripted(FINISHED);
      const said = messages.map(({ role, content }) => ({ role, content }));
      const message = said.at(-1).content;
      await agentOf(llm, tools, () => "").chat({ message, chatHistory: said.slice(0, -1) });
      return { messages: requests[0].map(({ role, content }) => ({ role, content })), stop: [] };
    },
    async parse(text, tools) {
      const calls = [];
      const { llm } = scripted(text, FINISHED);
      const onCall = (name, args) => {
        calls.push({ name, arguments: args });
        return "";
      };
      try {
        await agentOf(llm, tools, onCall).chat({ message: "?" });
        return { calls, failed: false };
      } catch {
        return { calls, failed: calls.length === 0 };
      }
    },
  },
];
