// The prompts of which the probabilities are read: ours, exactly as the product sends them, and those of response_format. Each
// has the messages for a question, and the texts between which the model chooses.
import { generateWithTools } from "@toolingua/core";
import { shots } from "../shots.mjs";
import { jsonMessages } from "../ways.mjs";

/** A question without content, for contextual calibration (Zhao et al., "Calibrate Before Use", 2021). */
export const CONTENT_FREE = "N/A";

/** The messages that the product sends the model for a conversation: the tools in the system message, examples as turns. */
async function sent({ messages, tools }, set) {
  const [system, rest] = [messages.filter(isSystem), messages.filter((message) => !isSystem(message))];
  let seen;
  async function* model(request) {
    seen = request.messages;
    yield "";
  }
  const turn = generateWithTools({
    ...{ model, tools, protocol: "hermes", style: "compact" },
    messages: [...system, ...shots(set), ...rest],
  });
  await turn.result();
  return seen;
}

const isSystem = ({ role }) => role === "system";

/** The question with other words of the user. Its system messages and earlier turns are kept. */
export const asking = (question, wish) => ({
  ...question,
  messages: [...question.messages.slice(0, -1), { ...question.messages.at(-1), content: wish }],
});

const ours = (set) => ({ call: "<tool_call>", messages: (question) => sent(question, set) });

/**
 * The prompts by name: `{ call, answer, half, controlled, messages(question) }`. `call` begins a call. `answer` begins anything
 * else; without it, whatever is not the call does. `half`: the only half that is asked, because nothing is chosen by its
 * answers. `controlled`: asked with the tools of other questions as well. Those that begin alike follow each other, so that
 * what they share is read once.
 */
export const prompts = {
  "ours/0": { ...ours("0"), controlled: true },
  "ours/mixed-2": ours("mixed-2"),
  "ours/mixed-4": ours("mixed-4"),
  "ours/answer-first-2": ours("answer-first-2"),
  "json-schema/mixed-4": {
    // Without the end of the key: its token depends on what follows.
    ...{ call: '{"calls', answer: '{"answer', half: "b" },
    messages: async (question) => jsonMessages("auto", "mixed-4", question),
  },
};
