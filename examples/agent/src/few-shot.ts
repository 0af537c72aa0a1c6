import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "langchain";

const file = (text: string, path: string, content: string) =>
  example(text, "read_file", { path }, `${path} says:\n${content}`);
const sum = (text: string, expression: string, value: string) =>
  example(text, "calculate", { expression }, `The result is ${value}.`);
const time = (text: string, city: string, zone: string, hour: string) =>
  example(text, "get_time", { city }, `In ${city} (${zone}) it is ${hour} on Monday, 3 March 2025.`);

/**
 * Worked examples as ordinary LangChain messages, shown to the model before every conversation: Toolingua writes their
 * calls and results in the model's wire format. A small model learns more from these than from any instruction.
 */
export const examples: BaseMessage[] = [
  ...file("Read the file TODO.", "TODO", "Call Ann."),
  ...sum("How much is 250 + 31?", "250 + 31", "281"),
  ...time("What time is it in Lima?", "Lima", "America/Lima", "09:20"),
  ...sum("What is 90 / 6?", "90 / 6", "15"),
  ...file("What does the file notes.txt say?", "notes.txt", "Buy milk."),
  ...time("Tell me the time in Oslo.", "Oslo", "Europe/Oslo", "15:20"),
  ...sum("Calculate (45 - 6) * 2.", "(45 - 6) * 2", "78"),
  ...file("Show me the file docs/intro.md.", "docs/intro.md", "# Welcome"),
  ...time("What is the time in Cape Town now?", "Cape Town", "Africa/Johannesburg", "16:20"),
];

/** A question, the call that answers it, its result, and the answer: the result, repeated. */
function example(question: string, name: string, args: Record<string, string>, result: string): BaseMessage[] {
  const id = `example_${question}`;
  return [
    new HumanMessage(question),
    new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id, name, args }] }),
    new ToolMessage({ tool_call_id: id, name, content: result }),
    new AIMessage(result),
  ];
}
