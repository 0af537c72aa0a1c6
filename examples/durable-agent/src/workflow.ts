import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  ConversationConflictError,
  type ConversationOptions,
  type ConversationStore,
  type Decision,
  type PendingCall,
  ToolConversation,
} from "@toolingua/core/conversation";

export const QUEUE = "conversations";
export const WORKFLOW = "conversation";

/** What a conversation waits for. */
export interface Question {
  /** How many records its log had. It names the question: the next one comes after more records. */
  asked: number;
  calls: PendingCall[];
}

/** What a person answers. */
export interface Answer {
  asked: number;
  decisions: { callId: string; argumentsHash: string; decision: Decision }[];
}

/** How far a conversation has come: to its answer, or to a question. */
export interface Progress {
  text: string;
  question?: Question;
}

type Options = ConversationOptions & { store: ConversationStore };

/**
 * Registers the workflow: it goes on with the conversation that has its id, and waits for a person where the conversation
 * does, for hours if need be and in another process if this one ends.
 *
 * DBOS sees to it that a workflow that was begun comes to its end. That none of its calls is lost or made twice is the
 * conversation's doing: a step of DBOS that was interrupted is repeated from its beginning, and the conversation's log says
 * how far it had come.
 */
export function registerConversations(optionsOf: (id: string) => Options): void {
  DBOS.registerWorkflow(
    async (message: string): Promise<string> => {
      const id = DBOS.workflowID ?? "";
      let answer: Answer | null = null;
      for (;;) {
        const decided: Answer | null = answer;
        const { text, question }: Progress = await DBOS.runStep(() => goOn(optionsOf(id), message, decided), {
          name: "goOn",
          // Another process still wrote to the log. This one owns the workflow: it reads the log again.
          retriesAllowed: true,
          maxAttempts: 5,
          shouldRetry: (error) => error instanceof ConversationConflictError,
        });
        if (!question) return text;
        await DBOS.setEvent("question", question);
        do answer = await DBOS.recv<Answer>("answer", { timeoutSeconds: 3600 });
        while (answer?.asked !== question.asked);
      }
    },
    { name: WORKFLOW },
  );
}

/** Goes on until there is an answer, or until someone must decide. It may be interrupted anywhere and run again. */
export async function goOn(options: Options, message: string, answer: Answer | null): Promise<Progress> {
  const conversation = await ToolConversation.resume(options);
  for (const { callId, argumentsHash, decision } of answer?.decisions ?? []) {
    // An approval counts once: if the call was interrupted again since, that is a new question.
    const isDecided = conversation.log
      .slice(answer?.asked)
      .some((record) => record.type === "decision" && record.callId === callId);
    if (!isDecided) await conversation.decide(callId, decision, { argumentsHash });
  }
  const hasBegun = conversation.log.some(({ type }) => type === "user");
  const { text, stopReason, error, pending } = await conversation.run(hasBegun ? undefined : message).result();
  if (stopReason === "error") throw error;
  return pending.length === 0 ? { text } : { text, question: { asked: conversation.log.length, calls: pending } };
}
