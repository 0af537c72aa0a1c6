// Runs a scenario as a conversation: the user writes, the model calls tools until it answers, the user writes again.
import { SAID } from "../shots.mjs";
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
 * `ask({ messages, tools, answerBy })` asks the model once: `{ calls, failed, text, reply }`, with `reply` as written;
 * `answerBy`: the name of the tool that it answers by, where it answers only with calls (`mustCall`).
 *
 * A step that makes the calls of the step before it, and changes nothing, ends the turn: the model would go on so.
 *
 * `right`: the last turn ended in the expected state, with no other changes on the way; `turnsRight`: the number of
 * turns that did; `calls`: all calls; `callsRight` of `callsWanted`: calls of the solution that were made in their turn;
 * `failed`: whether a call could not be read.
 */
export async function converse({ start, tools, turns }, ask, { mustCall }) {
  const shown = mustCall ? [...tools, answerTool] : tools;
  const answerBy = mustCall ? answerTool.name : undefined;
  const messages = [];
  const made = [];
  let state = start;
  let failed = false;
  let [turnsRight, callsRight] = [0, 0];
  let right = false;
  let ids = 0;

  /** Runs the calls, and adds them to the conversation. An answer changes nothing. */
  function act(calls, { text, reply }) {
    const toolCalls = calls.map((call) => ({ id: `call_${++ids}`, ...call }));
    messages.push({ role: "assistant", content: text, toolCalls, reply });
    for (const { id, ...call } of toolCalls) {
      const { content, isError, ...played } =
        call.name === answerBy ? { content: SAID, isError: false, state } : play(tools, state, call);
      state = played.state;
      messages.push({ role: "tool", toolCallId: id, name: call.name, content, isError });
    }
  }

  for (const { say, state: wanted, calls: solution } of turns) {
    messages.push({ role: "user", content: say });
    const inTurn = [];
    // Contents are never empty, because many models refuse that.
    let words = "…";
    let before = "";
    for (let step = 1, ended = false; step <= STEPS && !ended; step++) {
      const said = await ask({ messages: [...messages], tools: shown, answerBy });
      const answer = said.calls.find(({ name }) => name === answerBy);
      failed ||= said.failed;
      if (said.calls.length > 0) act(said.calls, said);
      else words = String(said.text || said.reply || words);
      inTurn.push(...said.calls.filter(({ name }) => name !== answerBy));
      const now = JSON.stringify([said.calls, state]);
      ended = said.calls.length === 0 || answer !== undefined || now === before;
      before = now;
      if (answer) words = undefined;
    }
    if (words !== undefined) messages.push({ role: "assistant", content: words });
    made.push(...inTurn);
    callsRight += countOf(solution, inTurn);
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
