// Runs a scenario as a conversation: the user writes, the model calls tools until it answers, the user writes again.
import { isSame, isSameCall, play } from "./world.mjs";

/** The maximum number of requests per user turn. The longest right way takes four. */
const STEPS = 6;

/** Where calls are demanded, the model answers with one. */
const answerTool = {
  name: "answer",
  description: "Says something to the user. Call it when there is nothing to do, or nothing left to do.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/**
 * `ask({ messages, tools })` asks the model once: `{ calls, failed, text, reply }`, with `reply` as written.
 * `mustCall`: the model answers only with calls.
 *
 * A step that makes the calls of the step before it, and changes nothing, ends the turn: the model would go on so.
 *
 * `right`: the last turn ended in the expected state, with no other changes on the way; `turnsRight`: the number of
 * turns that did; `calls`: all calls; `callsRight` of `callsWanted`: calls of the solution that were made in their turn;
 * `failed`: whether a call could not be read.
 */
export async function converse({ start, tools, turns }, ask, { mustCall }) {
  const shown = mustCall ? [...tools, answerTool] : tools;
  const messages = [];
  const made = [];
  let state = start;
  let failed = false;
  let [turnsRight, callsRight] = [0, 0];
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

  for (const { say, state: wanted, calls: solution } of turns) {
    messages.push({ role: "user", content: say });
    const earlier = made.length;
    // Contents are never empty, because many models refuse that.
    let words = "…";
    let before = "";
    for (let step = 1, ended = false; step <= STEPS && !ended; step++) {
      const said = await ask({ messages: [...messages], tools: shown });
      const answer = said.calls.find(({ name }) => mustCall && name === answerTool.name);
      const calls = said.calls.filter((call) => call !== answer);
      failed ||= said.failed;
      if (calls.length > 0) act(calls, said);
      const answered = calls.length === 0 || answer !== undefined;
      if (answered) words = String(answer?.arguments.text || said.text || said.reply || words);
      const now = JSON.stringify([calls, state]);
      ended = answered || now === before;
      before = now;
    }
    messages.push({ role: "assistant", content: words });
    callsRight += countOf(solution, made.slice(earlier));
    right = isSame(state, wanted);
    if (right) turnsRight += 1;
  }
  const callsWanted = turns.flatMap(({ calls }) => calls).length;
  return { right, failed, calls: made, turns: turns.length, turnsRight, callsRight, callsWanted };
}

/** How many of these calls are among those made, each counted once. */
function countOf(wanted, made) {
  const left = [...made];
  return wanted.filter((call) => {
    const found = left.findIndex((one) => isSameCall(one, call));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  }).length;
}
