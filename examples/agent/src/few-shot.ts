import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "langchain";

/** Worked examples as ordinary LangChain messages: Toolingua writes their calls and results in the model's wire format. */
export const examples: BaseMessage[] = [
  ...example(
    "What time is it in Lima?",
    "get_time",
    { place: "Lima" },
    "In Lima (America/Lima) it is 09:20 on Monday, 3 March 2025.",
  ),
  ...example("What is 12 * 12?", "calculate", { expression: "12 * 12" }, "12 * 12 = 144"),
  ...example("What does the file notes.txt say?", "read_file", { path: "notes.txt" }, "notes.txt says:\nBuy milk."),
  ...example(
    "Tell me the time in Oslo.",
    "get_time",
    { place: "Oslo" },
    "In Oslo (Europe/Oslo) it is 15:20 on Monday, 3 March 2025.",
  ),
  ...example("How much is (45 - 6) / 3?", "calculate", { expression: "(45 - 6) / 3" }, "(45 - 6) / 3 = 13"),
  ...example("Read the file TODO.", "read_file", { path: "TODO" }, "TODO says:\nCall Ann."),
];

/** A question, the call that answers it, the result, and the answer: the result, repeated. */
function example(question: string, name: string, args: Record<string, string>, result: string): BaseMessage[] {
  const id = `example_${question}`;
  return [
    new HumanMessage(question),
    new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id, name, args }] }),
    new ToolMessage({ tool_call_id: id, name, content: result }),
    new AIMessage(result),
  ];
}
