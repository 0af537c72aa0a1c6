import { DBOS } from "@dbos-inc/dbos-sdk";
import { OptionsError } from "@toolingua/core";
import {
  ConversationLogError,
  type ConversationOptions,
  type ConversationResult,
  ConversationStateError,
  type ConversationStore,
  type Decision,
  DecisionError,
  type PendingCall,
  ToolConversation,
} from "@toolingua/core/conversation";

export const QUEUE = "conversations";
export const WORKFLOW = "conversation";

/** What a conversation waits for. */
export interface Waiting {
  /** The number of records in the log at that moment. */
  asked: number;
  calls: PendingCall[];
  /** The decisions that were given and could not be applied, and why: their calls still wait. */
  refused: { callId: string; code: string; message: string }[];
}

/** What the workflow asks a person. `number`: the first question of a conversation is 1. */
export interface Question extends Waiting {
  number: number;
}

/** Decisions on the calls that waited when the log had `asked` records. */
export interface Decided {
  asked: number;
  decisions: { callId: string; argumentsHash: string; decision: Decision }[];
}

/** The answer of a person to the question with this number. */
export interface Answer extends Pick<Decided, "decisions"> {
  number: number;
}

/** How a conversation ended. `stopReason`: whether `text` is its answer (`answer`), or why there is none (`budget`, …). */
export type Outcome = Pick<ConversationResult, "text" | "stopReason">;

/** The progress of a conversation: its outcome, or what it waits for. */
export interface Progress extends Outcome {
  waiting?: Waiting;
}

type Options = ConversationOptions & { store: ConversationStore };

/**
 * Registers the workflow: it continues the conversation that has its id, and waits for a person where the conversation
 * does, for hours if necessary and in another process if this one ends.
 *
 * DBOS completes every workflow that was started. The conversation ensures that none of its calls is lost or made twice:
 * DBOS repeats an interrupted step from its beginning, and the conversation's log contains the progress of the step.
 *
 * A step that fails is repeated as well, ten times within two minutes: the model's server may be overloaded, the database
 * restarted, and a process that is no longer responsible may still have written to the log. Each attempt reads the log again.
 *
 * A decision that cannot be applied (it is stale, its call does not exist) ends nothing: the next question has it in `refused`.
 */
export function registerConversations(optionsOf: (id: string) => Options): (message: string) => Promise<Outcome> {
  return DBOS.registerWorkflow(
    async (message: string): Promise<Outcome> => {
      const id = DBOS.workflowID ?? "";
      let decided: Decided | null = null;
      for (let number = 1; ; number++) {
        const given: Decided | null = decided;
        const { text, stopReason, waiting }: Progress = await DBOS.runStep(() => goOn(optionsOf(id), message, given), {
          name: "goOn",
          retriesAllowed: true,
          maxAttempts: 10,
          intervalSeconds: 0.25,
          backoffRate: 2,
          shouldRetry: (error) => !isLasting(error),
        });
        if (!waiting) return { text, stopReason };
        const question: Question = { number, ...waiting };
        await DBOS.setEvent("question", question);
        let answer: Answer | null;
        do answer = await DBOS.recv<Answer>("answer", { timeoutSeconds: 3600 });
        while (answer?.number !== number);
        decided = { asked: waiting.asked, decisions: answer.decisions };
      }
    },
    { name: WORKFLOW },
  );
}

/** Whether the same step would fail again: it was asked wrongly, or the model's server refuses the request. */
function isLasting(error: unknown): boolean {
  const { status } = Object(error) as { status?: unknown };
  const isRefused = typeof status === "number" && status >= 400 && status < 500 && status !== 408 && status !== 429;
  const wrong = [OptionsError, ConversationLogError, ConversationStateError];
  return isRefused || wrong.some((kind) => error instanceof kind);
}

/** Continues until there is an answer, or until a person must decide. It may be interrupted anywhere and run again. */
export async function goOn(options: Options, message: string, decided: Decided | null): Promise<Progress> {
  const conversation = await ToolConversation.resume(options);
  const refused: Waiting["refused"] = [];
  for (const { callId, argumentsHash, decision } of decided?.decisions ?? []) {
    // An approval counts once: if the call was interrupted again since, it is a new question.
    const isDecided = conversation.log
      .slice(decided?.asked)
      .some((record) => record.type === "decision" && record.callId === callId);
    if (isDecided) continue;
    try {
      await conversation.decide(callId, decision, { argumentsHash });
    } catch (error) {
      if (!(error instanceof DecisionError)) throw error;
      refused.push({ callId, code: error.code, message: error.message });
    }
  }
  const hasBegun = conversation.log.some(({ type }) => type === "user");
  const { text, stopReason, error, pending } = await conversation.run(hasBegun ? undefined : message).result();
  if (stopReason === "error") throw error;
  const outcome = { text, stopReason };
  if (pending.length === 0) return outcome;
  return { ...outcome, waiting: { asked: conversation.log.length, calls: pending, refused } };
}
