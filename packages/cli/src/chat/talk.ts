import { DecisionError, type PendingCall } from "@toolingua/core/conversation";
import { CliError } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { printableLine } from "../terminal/printable.js";
import type { Chat, Decide } from "./chat.js";
import { discardKeys } from "./keyboard.js";
import { LineInput } from "./line-input.js";
import { isSlashCommand, runSlashCommand, slashCommands } from "./slash-commands.js";

/** Before a call is asked about, in ms: nobody reads it that fast, and what was typed before must not approve it. */
const PAUSE = 250;

/** What the model is told of a call that the user did not want to decide on. */
const STOPPED = "The user stopped here. It was not run.";

/**
 * A chat in the terminal, until Ctrl-D, /exit, or Ctrl-C twice. Gives the exit code.
 *
 * @param first said first
 * @param model its name
 * @example await talk(chat, "Hello", "qwen2.5:7b"); // 0
 */
export async function talk(chat: Chat, first: string | undefined, model: string): Promise<number> {
  const { session, screen, terminal } = chat;
  greet(chat, model);
  const input = new LineInput(terminal.io, slashCommands);
  let interrupted = false;
  const say = async (message: string | undefined): Promise<undefined> => {
    const { stopReason } = await chat.answer(message, asking(chat));
    interrupted = stopReason === "aborted" || stopReason === "needs-approval" || stopReason === "needs-results";
  };
  if (session.next !== "user") await guarded(chat, () => say(undefined));
  if (first !== undefined) await guarded(chat, () => say(first));
  for (;;) {
    const entered = await input.read("> ");
    if (entered === "end") return exitCodes.success;
    if (entered === "interrupt") {
      if (interrupted) return exitCodes.interrupted;
      interrupted = true;
      screen.say("Ctrl-C again ends the chat, and so do Ctrl-D and /exit.");
      continue;
    }
    interrupted = false;
    const { text } = entered;
    if (text.trim() === "") continue;
    const ended = await guarded(chat, () =>
      isSlashCommand(text) ? runSlashCommand(text, session, terminal) : say(text),
    );
    if (ended === "end") return exitCodes.success;
  }
}

function greet({ session, screen }: Chat, model: string): void {
  const { protocol, protocolFrom, tools } = session;
  const waiting = tools.filter(({ name }) => session.waits(name)).length;
  const counted = `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
  const asked = waiting > 0 ? `, ${waiting} ask before they run` : "";
  screen.say(`${printableLine(model)}, wire format ${protocol} (${protocolFrom}); ${counted}${asked}. /help`);
  const said = session.conversation.messages.filter(({ role }) => role === "user").length;
  if (said > 0) screen.say(`The chat goes on after ${said} ${said === 1 ? "message" : "messages"}.`);
}

/** What goes wrong with one message is said, and the chat goes on. */
async function guarded<T>({ screen }: Chat, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError && error.code === "interrupted") throw error;
    screen.say(`error: ${wordsOf(error)}`, "red");
    return undefined;
  }
}

/** Asks about each call that waits. Who stops at one (Ctrl-C) rejects those after it, too. */
const asking =
  (chat: Chat): Decide =>
  async (waiting) => {
    let stopped = false;
    for (const pending of waiting) {
      if (stopped) await chat.session.decide(pending, { type: "reject", message: STOPPED });
      else if (!(await chat.approved(pending))) stopped = (await ask(chat, pending)) === "stop";
    }
    return stopped ? "stop" : "go on";
  };

/** Asks about a call until there is a decision that can be. */
async function ask({ session, screen, terminal }: Chat, pending: PendingCall): Promise<"go on" | "stop"> {
  const { askAbout } = await import("./approval.js");
  for (;;) {
    await discardKeys(terminal.io, PAUSE);
    const answered = await askAbout(pending, terminal.io);
    try {
      await session.decide(pending, answered?.decision ?? { type: "reject", message: STOPPED });
    } catch (error) {
      if (!(error instanceof DecisionError) || answered === undefined) throw error;
      screen.say(wordsOf(error), "red");
      continue;
    }
    if (answered?.always) session.trust(pending.call.name);
    return answered === undefined ? "stop" : "go on";
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
