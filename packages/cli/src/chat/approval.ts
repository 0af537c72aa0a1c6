import { isCancel, selectKey, text } from "@clack/prompts";
import type { Decision, PendingCall } from "@toolingua/core/conversation";
import { isRecord, parsed } from "../json.js";
import type { Io } from "../terminal/io.js";
import { printable, printableJson } from "../terminal/printable.js";

/** What a person says of a call that waits. `always`: calls of this tool need not be asked for any more. */
export type Answered = { decision: Decision; always?: true };

/**
 * Asks a person about a call that waits: whether it runs, with which arguments, or what its result is. `undefined` after
 * Ctrl-C.
 *
 * @example const answered = await askAbout(pending, io);
 */
export async function askAbout({ call, why }: PendingCall, { stdin, stdout }: Io): Promise<Answered | undefined> {
  const streams = { input: stdin, output: stdout };
  const name = printable(call.name);
  const shown = `${name} ${printableJson(JSON.stringify(call.arguments, null, 2))}`;
  if (why === "result") {
    const content = await text({ ...streams, message: `${shown}\n\nNothing runs ${name} here. What is its result?` });
    return isCancel(content) ? undefined : { decision: { type: "respond", content: content ?? "" } };
  }
  const before =
    why === "unknown-outcome" ? "\n\nIt had started when the chat ended before; whether it was done is not known." : "";
  const chosen = await selectKey({
    ...streams,
    message: `${shown}${before}`,
    options: [
      { value: "y", label: "run it" },
      { value: "a", label: `run it, and ${name} always in this chat` },
      { value: "e", label: "edit its arguments" },
      { value: "n", label: "reject it" },
    ],
  });
  if (isCancel(chosen)) return undefined;
  if (chosen === "y") return { decision: { type: "approve" } };
  if (chosen === "a") return { decision: { type: "approve" }, always: true };
  if (chosen === "n") {
    const message = await text({ ...streams, message: "Why? The model is told.", placeholder: "nothing" });
    if (isCancel(message)) return undefined;
    return { decision: message ? { type: "reject", message } : { type: "reject" } };
  }
  const edited = await text({
    ...streams,
    message: `The arguments of ${name}, as JSON`,
    initialValue: JSON.stringify(call.arguments),
    validate: (value) =>
      isRecord(parsed(value ?? "")) ? undefined : 'A JSON object is needed, such as {"city":"Oslo"}.',
  });
  if (isCancel(edited)) return undefined;
  const args = parsed(edited);
  return isRecord(args) ? { decision: { type: "edit", arguments: args } } : undefined;
}
