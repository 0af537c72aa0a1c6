import { type ModelOptions, openModel } from "../model-source/open-model.js";
import { CliError, shownMessage } from "../terminal/errors.js";
import { printable } from "../terminal/printable.js";
import { readAll } from "../terminal/read-input.js";
import type { Terminal } from "../terminal/terminal.js";
import { loadToolsIn, type ToolOptions } from "../tool-sources/load-tools.js";
import { Chat } from "./chat.js";
import { openHistory } from "./history-file.js";
import { oneAnswer } from "./one-answer.js";
import { ChatSession, type ChatSetting } from "./session.js";
import { talk } from "./talk.js";
import { ToolWatch } from "./tool-watch.js";

/** The options of `toolingua chat`. */
export interface ChatOptions extends ModelOptions, ToolOptions {
  system?: string;
  history?: string;
  context?: number;
  maxTokens?: number;
  temperature?: number;
  ask: ChatSetting["ask"];
  once?: boolean;
}

/**
 * `toolingua chat`: a chat in the terminal, or in a pipe the answer to one message.
 *
 * Exit code: 0 if the chat was ended, or the message was answered; 1 if it was not; 130 after Ctrl-C.
 */
export async function run(terminal: Terminal, given: string | undefined, options: ChatOptions): Promise<number> {
  if (options.once && given === undefined)
    throw new CliError("usage", "--once answers one message and needs it as an argument.");
  const isTalk = terminal.interactive && !options.once;
  const message = isTalk ? undefined : await oneMessage(terminal, given, options);
  const store = options.history === undefined ? undefined : openHistory(options.history);
  return withEnds(async (atEnd) => {
    atEnd(() => store?.close());
    const opened = await openModel(terminal, options, { contextSize: options.context });
    atEnd(() => opened.close());
    if (opened.server && options.context !== undefined)
      throw new CliError(
        "usage",
        "--context applies to a model in this process (--embedded). Set the context of a model on a server when the server is started.",
      );
    if (options.constraint === "required" && opened.server && opened.facts.backend === undefined)
      throw new CliError("usage", "--constraint required depends on the kind of server: set it with --backend.");
    const loaded = await loadToolsIn(terminal, options);
    atEnd(() => loaded.close());
    const watch = new ToolWatch();
    const tools = loaded.tools.map((tool) => watch.watched(tool));
    const session = await ChatSession.open({ ...options, opened, tools, store });
    const { goneTools } = session;
    if (goneTools.length > 0) terminal.note(printable(goneWords(goneTools)));
    const chat = new Chat(terminal, session, watch);
    atEnd(lateFailures(chat));
    atEnd(watch.open(terminal.io));
    atEnd(() => chat.keyboard.close());
    chat.keyboard.open();
    return message === undefined ? talk(chat, given, opened.model) : oneAnswer(chat, message);
  });
}

/** Runs work, then all of the ends that it gave, the last one first. Errors: the first one, of the work or of an end. */
async function withEnds<T>(work: (atEnd: (end: () => unknown) => void) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = [];
  const [result] = await Promise.allSettled([work((end) => ends.unshift(end))]);
  const failures = result.status === "rejected" ? [result.reason] : [];
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (result.status === "rejected" || failures.length > 0) throw failures[0];
  return result.value;
}

/** The error for a chat that called tools which the model does not have this time. */
const goneWords = (names: readonly string[]): string =>
  `The chat so far calls ${names.join(", ")}, which the model does not have now. Add ${names.length === 1 ? "it" : "them"} with --tools, --mcp or --openapi as before.`;

/**
 * Reports late errors of tools, whose calls have already ended, instead of ending the process. Returns a function that
 * undoes it.
 */
function lateFailures({ screen, terminal }: Chat): () => void {
  const { signals } = terminal.io;
  const report = (error: unknown) => screen.print(`A tool failed after its call: ${shownMessage(error)}`, "red");
  for (const event of ["uncaughtException", "unhandledRejection"]) signals.on(event, report);
  return () => {
    for (const event of ["uncaughtException", "unhandledRejection"]) signals.off(event, report);
  };
}

/**
 * The message of a script: the argument, then standard input unless that is a terminal; with `--once` only the
 * argument.
 */
async function oneMessage(terminal: Terminal, given: string | undefined, { once }: ChatOptions): Promise<string> {
  const isPiped = !terminal.io.stdin.isTTY && !once;
  const piped = isPiped || given === undefined ? (await readAll(terminal, undefined)).trimEnd() : "";
  const message = [given, piped].filter((part) => part !== undefined && part !== "").join("\n\n");
  if (message.trim() === "")
    throw new CliError("usage", "The message is missing: pass it as an argument, or pipe it in.");
  return message;
}
