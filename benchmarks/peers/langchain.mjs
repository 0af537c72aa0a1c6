// LangChain's agents that call tools by prompt: their own prompt, stop sequences and output parser. They make one call a
// turn, and know no history but their own scratchpad, which is empty in the first turn.
import { StructuredChatAgent, StructuredChatOutputParser, XMLAgent } from "@langchain/classic/agents";
import { XMLAgentOutputParser } from "@langchain/classic/agents/xml/output_parser";

const roles = { system: "system", human: "user", ai: "assistant" };

async function filled(template, values) {
  const messages = await template.formatMessages(values);
  return messages
    .map((message) => ({ role: roles[message.type], content: message.text.trim() }))
    .filter(({ content }) => content !== "");
}

const questionIn = (messages) => messages.findLast(({ role }) => role === "user").content;

const call = (name, args) => ({ calls: [{ name, arguments: args }], failed: false });
const nothing = (failed) => ({ calls: [], failed });

async function read(parser, text, found) {
  try {
    const action = await parser.parse(text);
    return "tool" in action ? found(action) : nothing(false);
  } catch {
    return nothing(true);
  }
}

export const langchain = [
  {
    name: "LangChain structured chat",
    async prompt(messages, tools) {
      const template = StructuredChatAgent.createPrompt(
        tools.map(({ parameters, ...tool }) => ({ ...tool, schema: parameters })),
      );
      return {
        messages: await filled(template, { input: questionIn(messages), agent_scratchpad: "" }),
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
    async prompt(messages, tools) {
      const list = tools.map(({ name, description }) => `${name}: ${description}\n`).join("");
      const values = { tools: list, question: questionIn(messages), intermediate_steps: "" };
      return { messages: await filled(XMLAgent.createPrompt(), values), stop: ["</tool_input>", "</final_answer>"] };
    },
    // Its input is one string: a tool with several arguments gets them only from a model that writes JSON there unasked.
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
