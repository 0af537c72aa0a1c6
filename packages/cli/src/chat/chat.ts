import type { ConversationResult, PendingCall } from "@toolingua/core/conversation";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";
import { jsonEvent } from "./json-events.js";
import { Keyboard } from "./keyboard.js";
import { Screen } from "./screen.js";
import type { ChatSession } from "./session.js";
import type { ToolWatch } from "./tool-watch.js";

/** Decides on pending calls. `stop` ends the answer. */
export type Decide = (waiting: readonly PendingCall[]) => Promise<"go on" | "stop">;

/** A session on a terminal. Shows answers as they arrive. */
export class Chat {
  readonly terminal: Terminal;
  readonly session: ChatSession;
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly #tools: ToolWatch;

  constructor(terminal: Terminal, session: ChatSession, tools: ToolWatch) {
    this.#tools = tools;
    this.terminal = terminal;
    this.session = session;
    this.screen = new Screen(terminal);
    this.keyboard = new Keyboard(terminal.io);
  }

  /**
   * Sends the message, if any, and continues until there is an answer, or until `decide` stops. Calls of tools that are
   * approved in advance, by `--ask never` or by the user, need no decision.
   *
   * Errors: those of `ToolConversation.run`; `CliError` (`interrupted`) after Ctrl-C twice.
   */
  async answer(message: string | undefined, decide: Decide): Promise<ConversationResult> {
    for (let result = await this.#turns(message); ; result = await this.#turns(undefined)) {
      if (result.pending.length === 0 || (await decide(result.pending)) === "stop") return result;
    }
  }

  /** Approves a call that needs no decision. Returns whether it did. */
  async approved(pending: PendingCall): Promise<boolean> {
    if (pending.why !== "approval" || this.session.waits(pending.call.name)) return false;
    await this.session.decide(pending, { type: "approve" });
    return true;
  }

  /**
   * Shows events until the conversation needs a decision or a message. Ctrl-C stops it, and so does a tool that would end the
   * process: its error is the result's.
   */
  #turns(message: string | undefined): Promise<ConversationResult> {
    const work = async (signal: AbortSignal) => {
      const failed = new AbortController();
      const withFailure = (result: ConversationResult): ConversationResult =>
        failed.signal.aborted ? { ...result, stopReason: "error", error: failed.signal.reason } : result;
      const run = this.session.run(message, AbortSignal.any([signal, failed.signal]));
      for await (const event of run) {
        const failure = this.#tools.takeFailure();
        if (failure) failed.abort(failure);
        const shown = event.type === "end" ? { ...event, result: withFailure(event.result) } : event;
        if (this.terminal.json) await this.terminal.writeJson(jsonEvent(shown));
        else this.screen.show(shown);
      }
      return withFailure(await run.result());
    };
    return this.keyboard.interruptible(work, () => {
      this.screen.endLine();
      return new CliError("interrupted", "Interrupted.");
    });
  }
}
