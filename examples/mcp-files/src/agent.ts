import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { toLangChainTools, withToolCalling } from "@toolingua/langchain";
import type { McpToolset } from "@toolingua/mcp";
import { AIMessage, type BaseMessage, createAgent, createMiddleware, HumanMessage, ToolMessage } from "langchain";

/** Of the server's fourteen tools, those that a model of this size can distinguish. */
const shown = ["read_text_file", "list_directory"];

/**
 * An agent on a model that knows nothing of tools, with the tools of an MCP server. `constrain`: a call first, held to a
 * grammar, then an answer.
 */
export function createFileAgent(model: BaseChatModel, files: McpToolset, { constrain = false } = {}) {
  return createAgent({
    model: withToolCalling(model, {
      protocol: "hermes",
      style: "signature",
      constraint: constrain ? "auto" : "off",
    }),
    tools: toLangChainTools(files.tools.filter(({ toolName }) => shown.includes(toolName))),
    systemPrompt: "You are a helpful assistant.",
    middleware: [
      createMiddleware({
        name: "FewShot",
        wrapModelCall: (request, handler) => {
          const asked = HumanMessage.isInstance(request.messages.at(-1));
          return handler({
            ...request,
            messages: [...examples, ...request.messages],
            ...(constrain && { toolChoice: asked ? "required" : "none" }),
          });
        },
      }),
    ],
  });
}

/** Worked examples: a model this small learns more from these than from the tools' descriptions. */
const examples: BaseMessage[] = [
  ...file("Read the file ideas.txt.", "ideas.txt", "A kite with a lamp."),
  ...folder("Which files are in the folder letters?", "letters", "[FILE] ann.txt\n[FILE] bob.txt"),
  ...file("What does the file letters/ann.txt say?", "letters/ann.txt", "Dear Ann, come soon."),
  ...folder("What is in the folder music?", "music", "[FILE] waltz.mid\n[DIR] songs"),
  ...file("Show me the file drafts/plan.txt.", "drafts/plan.txt", "First the roof, then the walls."),
  ...file("What does budget.csv say?", "budget.csv", "rent,800"),
];

function file(question: string, path: string, content: string) {
  return example(question, "read_text_file", path, content, `The file ${path} says:\n${content}`);
}

function folder(question: string, path: string, entries: string) {
  return example(question, "list_directory", path, entries, `In the folder ${path} there are:\n${entries}`);
}

/** A question, the call that answers it, its result, and the answer. */
function example(question: string, name: string, path: string, result: string, answer: string): BaseMessage[] {
  const id = `example_${question}`;
  return [
    new HumanMessage(question),
    new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id, name, args: { path } }] }),
    new ToolMessage({ tool_call_id: id, name, content: result }),
    new AIMessage(answer),
  ];
}
