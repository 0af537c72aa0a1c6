import { counted } from "../terminal/counted.js";
import { CliError, shownMessage } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { printableLine } from "../terminal/printable.js";
import { askingAbout } from "./approval.js";
import type { Chat } from "./chat.js";
import { LineInput } from "./line-input.js";
import { isSlashCommand, runSlashCommand, slashCommands } from "./slash-commands.js";

/**
 * A chat in the terminal, until Ctrl-D, /exit, or Ctrl-C twice. Returns the exit code.
 *
 * @param first the first message
 * @param model the model's name
 * @example await talk(chat, "Hello", "qwen2.5:7b"); // 0
 */
export async function talk(chat: Chat, first: string | undefined, model: string): Promise<number> {
  const { session, screen, terminal, keyboard } = chat;
  greet(chat, model);
  const input = new LineInput(terminal.io, slashCommands);
  let interrupted = false;
  const send = async (message: string | undefined): Promise<undefined> => {
    const { stopReason } = await chat.answer(message, askingAbout(chat));
    interrupted = stopReason === "aborted" || stopReason === "needs-approval" || stopReason === "needs-results";
  };
  if (session.next !== "user") await guarded(chat, () => send(undefined));
  if (first !== undefined) await guarded(chat, () => send(first));
  for (;;) {
    const entered = await keyboard.lend(() => input.read("> "));
    if (entered === "end") return exitCodes.success;
    if (typeof entered === "string") {
      if (interrupted) return exitCodes.interrupted;
      interrupted = true;
      screen.print("Ctrl-C again ends the chat, and so do Ctrl-D and /exit.");
      continue;
    }
    interrupted = false;
    const { text } = entered;
    if (text.trim() === "") continue;
    const ended = await guarded(chat, () =>
      isSlashCommand(text) ? runSlashCommand(text, session, terminal) : send(text),
    );
    if (ended === "end") return exitCodes.success;
  }
}

function greet({ session, screen }: Chat, model: string): void {
  const { protocol, protocolFrom, tools } = session;
  const waiting = tools.filter(({ name }) => session.waits(name)).length;
  const asked = waiting > 0 ? `, ${waiting} ask before they run` : "";
  screen.print(
    `${printableLine(model)}, wire format ${protocol} (${protocolFrom}); ${counted(tools.length, "tool")}${asked}. /help`,
  );
  const said = session.conversation.messages.filter(({ role }) => role === "user").length;
  if (said > 0) screen.print(`The chat continues after ${counted(said, "message")}.`);
}

/** Reports an error of one message, and continues the chat. */
async function guarded<T>({ screen }: Chat, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError && error.code === "interrupted") throw error;
    screen.print(`error: ${shownMessage(error)}`, "red");
    return undefined;
  }
}
