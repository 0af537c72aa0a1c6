import { inputBody } from "../bodies/input.js";
import { jsonCallBody } from "../bodies/json-call.js";
import { pythonArgumentsBody } from "../bodies/python-arguments.js";
import { defineProtocol } from "../define-protocol.js";
import { name, toolName } from "../syntax/parts.js";
import { resultText } from "../tool-text/error-text.js";
import { exampleCall, toolSection } from "./tool-section.js";

const until = ["Thought:", "Action:", "Action Input:", "Observation:", "Final Answer:", "Answer:"];

/** What models write in place of the label of the input. */
const labels = [
  "Input:",
  "Arguments:",
  "Args:",
  "Parameters:",
  "Tool Input:",
  "Action Arguments:",
  "Action Parameters:",
  "",
];

/** Labels that models write in place of those of the action. */
const toolLabels = ["Tool:", "Tool Input:"];

/**
 * Labels at the beginning of lines, the oldest format for tool use. The thought is reasoning, the final answer the
 * text; an observation that the model writes itself is dropped, with everything that follows from it.
 *
 * @example
 * // Thought: I have to add the two numbers.
 * // Action: add
 * // Action Input: {"a": 2, "b": 3}
 */
export const react = defineProtocol({
  name: "react",
  about: { models: "any that follows instructions", source: "Yao et al., ReAct, 2022 (arXiv 2210.03629)" },
  bodies: [jsonCallBody, pythonArgumentsBody, inputBody],
  syntax: {
    parallel: false,
    at: "line",
    call: ["Action: ", name, "\nAction Input: ", { body: "input", until, labels }],
    also: [
      { at: "line", call: ["Action: ", name, { body: "python-arguments" }] },
      // Inputs of a text on the line of the name, as in the paper.
      { at: "line", call: ["Action: ", toolName, "[", { body: "input", until, closer: "]" }] },
      { at: "line", call: ["Action: ", toolName, ":", { body: "input", until, closer: "" }] },
      { at: "line", call: ["Action: ", name, { body: "input", until, closer: "", isObject: true }] },
      {
        at: "line",
        call: ["Tool: ", toolName, "\nTool Input: ", { body: "input", until: [...until, ...toolLabels], labels }],
      },
      // The form in the prompts of LangChain's agents for chat models.
      { at: "line", call: ["Action: ", { body: "json-call", name: "action", arguments: "action_input" }] },
    ],
    spans: [
      { open: "Thought:", as: "reasoning" },
      { open: "Observation:", as: "dropped" },
    ],
    noise: ["Final Answer:", "Answer:"],
    stop: ["\nObservation:"],
  },
  renderTools(tools, context) {
    return toolSection(tools, context, [
      "To use a tool, write what you think, the tool's name and its arguments as one JSON object, in this form:",
      "Thought: ...",
      exampleCall(react, tools),
      "",
      "Then stop. The result comes in the next message, as an Observation. Use one tool at a time.",
      "When you can answer, write:",
      "Thought: ...",
      "Final Answer: ...",
    ]);
  },
  renderResults: (results) => results.map((result) => `Observation: ${resultText(result)}`).join("\n"),
});
