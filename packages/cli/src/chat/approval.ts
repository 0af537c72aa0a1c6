import { isObject, parsedJson, readStrictJson } from "@toolingua/core/adapters";
import { DecisionError, type PendingCall } from "@toolingua/core/conversation";

import { quoted } from "../json.js";
import { shownMessage } from "../terminal/errors.js";
import type { Chat, Decide } from "./chat.js";
import { LineInput } from "./line-input.js";
import { shortened, shown, shownName } from "./shown-json.js";

/** Keys within this time (ms) after a call is shown approve nothing: they were typed before the user could read it. */
const DEAF = 250;

/** The result of a call when the user stopped instead of deciding. */
const STOPPED = "The user stopped here. It was not run.";

/**
 * Asks the user about each pending call. Stopping at one (Ctrl-C, Ctrl-D, Escape) rejects the remaining calls as well; from
 * typing, Escape leads back to the choice.
 *
 * @example await chat.answer("Heat the kitchen.", askingAbout(chat));
 */
export const askingAbout =
  (chat: Chat): Decide =>
  async (waiting) => {
    let stopped = false;
    for (const pending of waiting) {
      if (stopped) await chat.session.decide(pending, { type: "reject", message: STOPPED });
      else if (!(await chat.approved(pending))) stopped = (await askAbout(chat, pending)) === "stop";
    }
    return stopped ? "stop" : "go on";
  };

/** Asks about a call until the user makes a valid decision. */
async function askAbout(chat: Chat, pending: PendingCall): Promise<"go on" | "stop"> {
  const { screen, session } = chat;
  const { call, why } = pending;
  const name = shownName(call.name);
  const { text, isShort } = shortened(shown(call.arguments), chat.terminal.io.stdout);
  screen.print(`${name} ${text}`, "bold");
  if (why === "unknown-outcome")
    screen.print("It had started when the last chat ended. It is unknown whether it took effect.", "yellow");
  if (why === "result") screen.print(`${name} has no implementation here.`);
  try {
    const decided = why === "result" ? await askForResult(chat, pending) : await askToRun(chat, pending, isShort);
    if (decided) return "go on";
    await session.decide(pending, { type: "reject", message: STOPPED });
    return "stop";
  } catch (error) {
    // The edited arguments do not match the schema.
    if (!(error instanceof DecisionError)) throw error;
    screen.print(shownMessage(error), "red");
    return askAbout(chat, pending);
  }
}

async function askForResult(chat: Chat, pending: PendingCall): Promise<boolean> {
  const entered = await line(chat, "What is its result? ");
  if (typeof entered === "string") return false;
  await chat.session.decide(pending, { type: "respond", content: entered.text });
  return true;
}

/** Asks whether to run the call. Returns whether the user decided. */
async function askToRun(chat: Chat, pending: PendingCall, isShort: boolean): Promise<boolean> {
  const { screen, session, keyboard } = chat;
  const { call } = pending;
  const always = `[a] always run ${shownName(call.name)}`;
  const whole = isShort ? [] : ["[v] view all of it"];
  screen.print(["[y] run it", always, "[e] edit its arguments", "[n] reject it", ...whole].join("  "), "cyan");
  switch (await keyboard.oneOf(isShort ? "yaen" : "yaenv", DEAF)) {
    case "y":
      await session.decide(pending, { type: "approve" });
      return true;
    case "a":
      await session.decide(pending, { type: "approve" });
      session.trust(call.name);
      return true;
    case "e": {
      const args = await editedArguments(chat, call.arguments);
      if (args === "back") return askToRun(chat, pending, isShort);
      if (args === "stop") return false;
      await session.decide(pending, { type: "edit", arguments: args });
      return true;
    }
    case "n": {
      const entered = await line(chat, "Why? The model sees your answer. ");
      if (entered === "back") return askToRun(chat, pending, isShort);
      if (entered === "stop") return false;
      const { text } = entered;
      await session.decide(pending, text === "" ? { type: "reject" } : { type: "reject", message: text });
      return true;
    }
    case "v":
      screen.print(shown(call.arguments));
      return askToRun(chat, pending, isShort);
    default:
      return false;
  }
}

async function editedArguments(
  chat: Chat,
  given: Record<string, unknown>,
): Promise<Record<string, unknown> | "back" | "stop"> {
  for (let text = shown(given, 0); ; ) {
    const entered = await line(chat, "Its arguments: ", text);
    if (typeof entered === "string") return entered;
    ({ text } = entered);
    const args = parsedJson(text);
    const wrong = isObject(args) ? lostIn(text) : "The arguments must be a JSON object.";
    if (isObject(args) && wrong === undefined) return args;
    chat.screen.print(`${wrong} Escape leads back.`, "red");
  }
}

/** What would be lost of JSON that the user typed: digits of a number, or all values of a key but the last. */
function lostIn(json: string): string | undefined {
  let lost: string | undefined;
  readStrictJson(json, {
    unkept: (digits) => {
      lost = `The number ${quoted(digits, 40)} has too many digits to be kept: if the tool takes a text, write it in quotes.`;
    },
    repeated: (key) => {
      lost = `The key "${quoted(key, 80)}" comes twice, with different values.`;
    },
  });
  return lost;
}

/** A line that the user types; `back` after Escape, `stop` after Ctrl-C and Ctrl-D. */
async function line(
  { keyboard, terminal }: Chat,
  prompt: string,
  initial?: string,
): Promise<{ text: string } | "back" | "stop"> {
  const entered = await keyboard.lend(() => new LineInput(terminal.io).read(prompt, { initial, leadsBack: true }));
  return typeof entered === "string" && entered !== "back" ? "stop" : entered;
}
