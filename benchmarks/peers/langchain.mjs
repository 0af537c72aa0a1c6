// LangChain's agents that call tools by prompt: their own prompt, stop sequences and output parser. They make one call
// per turn. Calls since the user's last message are in their scratchpad; only one of the agents accepts earlier turns.
import { StructuredChatAgent, StructuredChatOutputParser, XMLAgent } from "@langchain/classic/agents";
import { XMLAgentOutputParser } from "@langchain/classic/agents/xml/output_parser";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { MessagesPlaceholder } from "@langchain/core/prompts";

const roles = { system: "system", human: "user", ai: "assistant" };

async function filled(template, values) {
  const messages = await template.formatMessages(values);
  return messages
    .map((message) => ({ role: roles[message.type], content: message.text.trim() }))
    .filter(({ content }) => content !== "");
}

const questionIn = (messages) => messages.findLast(({ role }) => role === "user").content;

const call = (name, args) => ({ calls: [{ name, arguments: args }], failed: false, text: "" });
const nothing = (failed, text) => ({ calls: [], failed, text });

async function read(parser, text, found) {
  try {
    const action = await parser.parse(text);
    return "tool" in action ? found(action) : nothing(false, String(action.returnValues.output));
  } catch {
    return nothing(true, text);
  }
}

/** The messages before the last question, and the steps since: calls with their results. */
function split(messages) {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const steps = messages.slice(asked + 1).flatMap(({ reply, toolCalls = [] }) =>
    toolCalls.map(({ id, name, arguments: toolInput }) => ({
      action: { tool: name, toolInput, log: reply },
      observation: messages.find(({ toolCallId }) => toolCallId === id)?.content ?? "",
    })),
  );
  return { history: messages.slice(0, asked), steps };
}

/** The turns of a conversation as LangChain's messages, without the calls. */
const memory = (messages) =>
  messages
    .filter(({ role, toolCalls }) => role === "user" || (role === "assistant" && !toolCalls?.length))
    .map(({ role, content }) => (role === "user" ? new HumanMessage(content) : new AIMessage(content)));

/** The agent's own way to write its steps; it needs nothing of an agent. */
const scratchpad = (steps) => new StructuredChatAgent({ llmChain: undefined }).constructScratchPad(steps);

export const langchain = [
  {
    name: "LangChain structured chat",
    async prompt(messages, tools) {
      const described = tools.map(({ parameters, ...tool }) => ({ ...tool, schema: parameters }));
      const { history, steps } = split(messages);
      const memoryPrompts = [new MessagesPlaceholder("history")];
      const template = StructuredChatAgent.createPrompt(described, {
        memoryPrompts,
        inputVariables: ["input", "agent_scratchpad", "history"],
      });
      const agent_scratchpad = await scratchpad(steps);
      return {
        messages: await filled(template, { input: questionIn(messages), agent_scratchpad, history: memory(history) }),
        stop: ["Observation:"],
      };
    },
    parse: (text, tools) =>
      read(new StructuredChatOutputParser({ toolNames: tools.map(({ name }) => name) }), text, ({ tool, toolInput }) =>
        call(tool, toolInput),
      ),
  },
  {
    name: "LangChain XML",
    // Its prompt has room for one question and no turns before it.
    converses: false,
    async prompt(messages, tools) {
      const list = tools.map(({ name, description }) => `${name}: ${description}\n`).join("");
      const values = { tools: list, question: questionIn(messages), intermediate_steps: "" };
      return { messages: await filled(XMLAgent.createPrompt(), values), stop: ["</tool_input>", "</final_answer>"] };
    },
    // Its input is one string: a tool with several arguments gets them only from a model that writes JSON there
    // unasked.
    parse: (text, tools) =>
      read(new XMLAgentOutputParser(), text, ({ tool, toolInput }) => call(tool, inputOf(toolInput, tools, tool))),
  },
];

function inputOf(text, tools, name) {
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON: the text itself.
  }
  const properties = Object.keys(tools.find((tool) => tool.name === name)?.parameters?.properties ?? {});
  return properties.length === 1 ? { [properties[0]]: text } : { input: text };
}
