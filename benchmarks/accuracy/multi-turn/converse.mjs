// A scenario, held as a conversation: the user speaks, the model calls tools until it answers, the user speaks again.
import { isSame, play } from "./world.mjs";

/** How often the model is asked in a turn of the user. The longest way to do what is asked takes four. */
const STEPS = 6;

/** Where calls are demanded, the model answers with one. */
const answerTool = {
  name: "answer",
  description: "Says something to the user. Call it when there is nothing to do, or nothing left to do.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/**
 * `ask({ messages, tools })` asks the model once: `{ calls, failed, text, reply }`, `reply` as it was written. `mustCall`: it answers with calls only.
 *
 * `right`: the last turn ended in the state that it should, with nothing else done on the way; `turnsRight`: so many
 * turns did; `calls`: all that were made; `failed`: something was meant as a call and could not be read.
 */
export async function converse({ start, tools, turns }, ask, { mustCall }) {
  const shown = mustCall ? [...tools, answerTool] : tools;
  const messages = [];
  const made = [];
  let state = start;
  let failed = false;
  let turnsRight = 0;
  let right = false;

  /** Runs the calls, and adds them to the conversation. */
  function act(calls, { text, reply }) {
    const toolCalls = calls.map((call, i) => ({ id: `call_${made.length + i + 1}`, ...call }));
    messages.push({ role: "assistant", content: text, toolCalls, reply });
    for (const { id, ...call } of toolCalls) {
      const { content, isError, ...played } = play(tools, state, call);
      state = played.state;
      made.push(call);
      messages.push({ role: "tool", toolCallId: id, name: call.name, content, isError });
    }
  }

  for (const { say, state: wanted } of turns) {
    messages.push({ role: "user", content: say });
    // What was said is never empty: many models refuse that.
    let words = "…";
    for (let step = 1, answered = false; step <= STEPS && !answered; step++) {
      const said = await ask({ messages: [...messages], tools: shown });
      const answer = said.calls.find(({ name }) => mustCall && name === answerTool.name);
      const calls = said.calls.filter((call) => call !== answer);
      failed ||= said.failed;
      if (calls.length > 0) act(calls, said);
      answered = calls.length === 0 || answer !== undefined;
      if (answered) words = String(answer?.arguments.text || said.text || said.reply || words);
    }
    messages.push({ role: "assistant", content: words });
    right = isSame(state, wanted);
    if (right) turnsRight += 1;
  }
  return { right, failed, calls: made, turns: turns.length, turnsRight };
}
