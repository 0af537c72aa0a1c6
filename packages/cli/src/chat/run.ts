import { type ConversationResult, DecisionError, type PendingCall } from "@toolingua/core/conversation";
import type { ChatOptions } from "../commands/chat.js";
import { openModel } from "../model-source/open-model.js";
import { CliError } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { printableLine } from "../terminal/printable.js";
import { readAll } from "../terminal/read-input.js";
import type { Terminal } from "../terminal/terminal.js";
import { loadTools } from "../tool-sources/load-tools.js";
import { historyFile } from "./history-file.js";
import { jsonEvent } from "./json-events.js";
import { discardKeys, interruptible } from "./keyboard.js";
import { LineInput } from "./line-input.js";
import { Screen } from "./screen.js";
import { ChatSession } from "./session.js";
import { isSlashCommand, runSlashCommand, slashCommands } from "./slash-commands.js";

/** Tokens that a model in this process is loaded for. */
const CONTEXT = 8192;

/** Before a call is asked about, in ms: nobody reads it that fast, and what was typed before must not approve it. */
const PAUSE = 250;

/** What the model is told of a call that nobody could approve. */
const NOBODY = "Nobody is here to approve this call. It was not run.";
/** The same of one that the user did not want to decide on. */
const STOPPED = "The user stopped here. It was not run.";

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
    return message === undefined ? await chat.talk(given, opened.model) : await chat.answerOnce(message);
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

class Chat {
  readonly #terminal: Terminal;
  readonly #session: ChatSession;
  readonly #screen: Screen;

  constructor(terminal: Terminal, session: ChatSession) {
    this.#terminal = terminal;
    this.#session = session;
    this.#screen = new Screen(terminal);
  }

  /** One message; nobody can be asked. */
  async answerOnce(message: string): Promise<number> {
    if (this.#session.next === "calls")
      throw new CliError(
        "failed",
        "Calls of this chat wait for somebody to decide on them: go on with it in a terminal.",
      );
    const { stopReason, error } = await this.#answer(message, (waiting) => this.#rejectAll(waiting));
    if (stopReason === "aborted") return exitCodes.interrupted;
    if (stopReason === "error") throw error;
    return stopReason === "answer" || stopReason === "stop-tool" ? exitCodes.success : exitCodes.nothingFound;
  }

  /** A chat until Ctrl-D, /exit, or Ctrl-C twice. */
  async talk(first: string | undefined, model: string): Promise<number> {
    const { io } = this.#terminal;
    this.#greet(model);
    const input = new LineInput(io, slashCommands);
    let interrupted = false;
    const say = async (message: string | undefined): Promise<undefined> => {
      const { stopReason } = await this.#answer(message, (waiting) => this.#askAboutAll(waiting));
      interrupted = stopReason === "aborted" || stopReason === "needs-approval" || stopReason === "needs-results";
    };
    if (this.#session.next !== "user") await this.#guarded(() => say(undefined));
    if (first !== undefined) await this.#guarded(() => say(first));
    for (;;) {
      const entered = await input.read("> ");
      if (entered === "end") return exitCodes.success;
      if (entered === "interrupt") {
        if (interrupted) return exitCodes.interrupted;
        interrupted = true;
        this.#screen.say("Ctrl-C again ends the chat, and so do Ctrl-D and /exit.");
        continue;
      }
      interrupted = false;
      const { text } = entered;
      if (text.trim() === "") continue;
      const ended = await this.#guarded(() =>
        isSlashCommand(text) ? runSlashCommand(text, this.#session, this.#terminal) : say(text),
      );
      if (ended === "end") return exitCodes.success;
    }
  }

  #greet(model: string): void {
    const { protocol, protocolFrom, tools } = this.#session;
    const waiting = tools.filter(({ name }) => this.#session.waits(name)).length;
    const counted = `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
    const asked = waiting > 0 ? `, ${waiting} ask before they run` : "";
    this.#screen.say(`${printableLine(model)}, wire format ${protocol} (${protocolFrom}); ${counted}${asked}. /help`);
    const said = this.#session.conversation.messages.filter(({ role }) => role === "user").length;
    if (said > 0) this.#screen.say(`The chat goes on after ${said} ${said === 1 ? "message" : "messages"}.`);
  }

  /** What goes wrong with one message is said, and the chat goes on. */
  async #guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CliError && error.code === "interrupted") throw error;
      this.#screen.say(`error: ${wordsOf(error)}`, "red");
      return undefined;
    }
  }

  /** Nobody can approve these calls, nor give their results. */
  async #rejectAll(waiting: readonly PendingCall[]): Promise<"go on" | "stop"> {
    for (const pending of waiting.filter(({ why }) => why !== "result")) {
      if (!this.#needsAnswer(pending)) {
        await this.#session.decide(pending, { type: "approve" });
        continue;
      }
      await this.#session.decide(pending, { type: "reject", message: NOBODY });
      this.#screen.say(
        `${pending.call.name} was rejected: nobody is here to approve it (--ask never runs it).`,
        "yellow",
      );
    }
    return waiting.some(({ why }) => why === "result") ? "stop" : "go on";
  }

  /** Who stops at one call (Ctrl-C) rejects those after it, too. */
  async #askAboutAll(waiting: readonly PendingCall[]): Promise<"go on" | "stop"> {
    let stopped = false;
    for (const pending of waiting) {
      if (stopped) await this.#session.decide(pending, { type: "reject", message: STOPPED });
      else if (!this.#needsAnswer(pending)) await this.#session.decide(pending, { type: "approve" });
      else stopped = (await this.#ask(pending)) === "stop";
    }
    return stopped ? "stop" : "go on";
  }

  /** Not where calls of its tool were approved for good, by --ask never or meanwhile. */
  #needsAnswer({ why, call }: PendingCall): boolean {
    return why !== "approval" || this.#session.waits(call.name);
  }

  /** Asks about a call until there is a decision that can be. */
  async #ask(pending: PendingCall): Promise<"go on" | "stop"> {
    const { askAbout } = await import("./approval.js");
    for (;;) {
      await discardKeys(this.#terminal.io, PAUSE);
      const answered = await askAbout(pending, this.#terminal.io);
      try {
        await this.#session.decide(pending, answered?.decision ?? { type: "reject", message: STOPPED });
      } catch (error) {
        if (!(error instanceof DecisionError) || answered === undefined) throw error;
        this.#screen.say(wordsOf(error), "red");
        continue;
      }
      if (answered?.always) this.#session.trust(pending.call.name);
      return answered === undefined ? "stop" : "go on";
    }
  }

  /** Says the message and goes on until there is an answer, or until `decide` says that the calls that wait end it. */
  async #answer(
    message: string | undefined,
    decide: (waiting: readonly PendingCall[]) => Promise<"go on" | "stop">,
  ): Promise<ConversationResult> {
    for (let result = await this.#turns(message); ; result = await this.#turns(undefined)) {
      if (result.pending.length === 0 || (await decide(result.pending)) === "stop") return result;
    }
  }

  /** Shows what happens until somebody else is needed. Ctrl-C stops it. */
  #turns(message: string | undefined): Promise<ConversationResult> {
    const work = async (signal: AbortSignal) => {
      const run = this.#session.run(message, signal);
      for await (const event of run) {
        if (this.#terminal.json) await this.#terminal.writeJson(jsonEvent(event));
        else this.#screen.show(event);
      }
      return run.result();
    };
    return interruptible(this.#terminal.io, work, () => {
      this.#screen.endLine();
      return new CliError("interrupted", "Interrupted.");
    });
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
