import type { ChatOptions } from "../commands/chat.js";
import { openModel } from "../model-source/open-model.js";
import { CliError } from "../terminal/errors.js";
import { readAll } from "../terminal/read-input.js";
import type { Terminal } from "../terminal/terminal.js";
import { loadTools } from "../tool-sources/load-tools.js";
import { Chat } from "./chat.js";
import { historyFile } from "./history-file.js";
import { oneAnswer } from "./one-answer.js";
import { ChatSession } from "./session.js";
import { talk } from "./talk.js";

/** Tokens that a model in this process is loaded for. */
const CONTEXT = 8192;

/**
 * `toolingua chat`: a chat in the terminal, or in a pipe the answer to one message.
 *
 * Exit code: 0 where the chat was ended, or the message has its answer; 1 where it has none; 130 after Ctrl-C.
 */
export async function run(terminal: Terminal, given: string | undefined, options: ChatOptions): Promise<number> {
  if (options.once && given === undefined) throw new CliError("usage", "--once answers one message: which?");
  const isTalk = terminal.interactive && !options.once;
  const message = isTalk ? undefined : await oneMessage(terminal, given, options);
  const opened = await openModel(terminal, options, { contextSize: CONTEXT });
  let closeTools = async () => {};
  try {
    const { tools, close } = await loadTools(options, (problem) => terminal.note(problem));
    closeTools = close;
    const { protocol, style, constraint, system, ask, history } = options;
    const store = history === undefined ? undefined : historyFile(history);
    const session = await ChatSession.open({ opened, tools, store, protocol, style, constraint, system, ask });
    const chat = new Chat(terminal, session);
    return message === undefined ? await talk(chat, given, opened.model) : await oneAnswer(chat, message);
  } finally {
    await closeTools();
    await opened.close();
  }
}

/** The message of a script: what was given, then standard input where that is no terminal; with `--once` what was given. */
async function oneMessage(terminal: Terminal, given: string | undefined, { once }: ChatOptions): Promise<string> {
  const isPiped = !terminal.io.stdin.isTTY && !once;
  const piped = isPiped || given === undefined ? (await readAll(terminal, undefined)).trimEnd() : "";
  const message = [given, piped].filter((part) => part !== undefined && part !== "").join("\n\n");
  if (message.trim() === "") throw new CliError("usage", "There is no message: give one, or pipe it in.");
  return message;
}
