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
export interface Question {
  /** The number of records in the log. It identifies the question, since the next one comes after more records. */
  asked: number;
  calls: PendingCall[];
}

/** The answer of a person. */
export interface Answer {
  asked: number;
  decisions: { callId: string; argumentsHash: string; decision: Decision }[];
}

/** How a conversation ended. `stopReason`: whether `text` is its answer (`answer`), or why there is none (`budget`, …). */
export type Outcome = Pick<ConversationResult, "text" | "stopReason">;

/** The progress of a conversation: its outcome, or a question. */
export interface Progress extends Outcome {
  question?: Question;
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
 */
export function registerConversations(optionsOf: (id: string) => Options): (message: string) => Promise<Outcome> {
  return DBOS.registerWorkflow(
    async (message: string): Promise<Outcome> => {
      const id = DBOS.workflowID ?? "";
      let answer: Answer | null = null;
      for (;;) {
        const decided: Answer | null = answer;
        const { text, stopReason, question }: Progress = await DBOS.runStep(
          () => goOn(optionsOf(id), message, decided),
          {
            name: "goOn",
            retriesAllowed: true,
            maxAttempts: 10,
            intervalSeconds: 0.25,
            backoffRate: 2,
            shouldRetry: (error) => !isLasting(error),
          },
        );
        if (!question) return { text, stopReason };
        await DBOS.setEvent("question", question);
        do answer = await DBOS.recv<Answer>("answer", { timeoutSeconds: 3600 });
        while (answer?.asked !== question.asked);
      }
    },
    { name: WORKFLOW },
  );
}

/** Whether the same step would fail again: it was asked wrongly, or the model's server refuses the request. */
function isLasting(error: unknown): boolean {
  const { status } = Object(error) as { status?: unknown };
  const isRefused = typeof status === "number" && status >= 400 && status < 500 && status !== 408 && status !== 429;
  const wrong = [OptionsError, ConversationLogError, ConversationStateError, DecisionError];
  return isRefused || wrong.some((kind) => error instanceof kind);
}

/** Continues until there is an answer, or until a person must decide. It may be interrupted anywhere and run again. */
export async function goOn(options: Options, message: string, answer: Answer | null): Promise<Progress> {
  const conversation = await ToolConversation.resume(options);
  for (const { callId, argumentsHash, decision } of answer?.decisions ?? []) {
    // An approval counts once: if the call was interrupted again since, it is a new question.
    const isDecided = conversation.log
      .slice(answer?.asked)
      .some((record) => record.type === "decision" && record.callId === callId);
    if (!isDecided) await conversation.decide(callId, decision, { argumentsHash });
  }
  const hasBegun = conversation.log.some(({ type }) => type === "user");
  const { text, stopReason, error, pending } = await conversation.run(hasBegun ? undefined : message).result();
  if (stopReason === "error") throw error;
  const outcome = { text, stopReason };
  return pending.length === 0 ? outcome : { ...outcome, question: { asked: conversation.log.length, calls: pending } };
}
