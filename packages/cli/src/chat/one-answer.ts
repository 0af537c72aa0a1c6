import { CliError } from "../terminal/errors.js";
import { exitCodes } from "../terminal/exit-codes.js";
import type { Chat } from "./chat.js";

/** The result of a call without a user to approve it. */
const NOBODY = "No user is here to approve this call. It was not run.";

/**
 * Answers one message without a user: pending calls are rejected. Returns the exit code.
 *
 * Errors: `CliError` (`failed`) if the chat already waits for decisions; errors of the model.
 *
 * @example await oneAnswer(chat, "What time is it?"); // 0
 */
export async function oneAnswer(chat: Chat, message: string): Promise<number> {
  const { session, screen } = chat;
  if (session.next === "calls")
    throw new CliError("failed", "Calls of this chat wait for your decision: continue it in a terminal.");
  const { stopReason, text, error } = await chat.answer(message, async (waiting) => {
    for (const pending of waiting) {
      if (pending.why === "result" || (await chat.approved(pending))) continue;
      await session.decide(pending, { type: "reject", message: NOBODY });
      const hint = pending.why === "approval" ? "; `--ask never` runs it without asking" : "";
      screen.print(`${pending.call.name} was rejected: no user is here to approve it${hint}.`, "yellow");
    }
    return waiting.some(({ why }) => why === "result") ? "stop" : "go on";
  });
  if (stopReason === "aborted") return exitCodes.interrupted;
  if (stopReason === "error") throw error;
  const isAnswer = stopReason === "stop-tool" || (stopReason === "answer" && text.trim() !== "");
  return isAnswer ? exitCodes.success : exitCodes.nothingFound;
}
