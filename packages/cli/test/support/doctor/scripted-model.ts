import { setTimeout as sleep } from "node:timers/promises";
import type { TextModel } from "@toolingua/core";

const call = (name: string, args: object) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

/** What the model says to the doctor's questions, as it would in the Hermes format. */
function reply(prompt: string, hasTools: boolean): string {
  const [, program, file = ""] = /^Write for (\w+): (\S+)$/m.exec(prompt) ?? [];
  if (program === "codex") return `I write.\n${call("exec_command", { cmd: `echo hi > ${file}` })}`;
  if (program !== undefined) return `I write.\n${call("Write", { file_path: file, content: "hi" })}`;
  const named = /by calling the tool (\w+)\.\s*$/.exec(prompt)?.[1];
  if (named !== undefined) return call(named, named === "get_status" ? {} : { city: "Oslo" });
  if (!hasTools)
    return prompt.includes("Count")
      ? "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve"
      : "Hello!";
  if (prompt.includes("Rome")) return call("get_weather", { city: "Oslo" }) + call("get_weather", { city: "Rome" });
  if (prompt.includes("Answer this with a tool call.")) return call("get_time", { city: "Oslo" });
  return prompt.includes("weather in Oslo?") ? `I look.\n${call("get_weather", { city: "Oslo" })}` : "3 degrees.";
}

/**
 * A model that always obeys. `pace`: ms between its pieces. `failsAt`: questions in whose middle it fails. `isSilent`: it calls
 * nothing.
 */
export const scriptedModel = ({ pace = 0, failsAt = "", isSilent = false } = {}): TextModel =>
  async function* ({ messages, signal }) {
    const prompt = messages.findLast(({ role }) => role === "user")?.content ?? "";
    const hasTools = messages.some(({ content }) => content.includes("<tools>"));
    if (prompt.includes("to 1000"))
      for (;;) {
        signal?.throwIfAborted();
        yield "one, ";
        await sleep(5);
      }
    for (const piece of (isSilent ? "I cannot." : reply(prompt, hasTools)).match(/[\s\S]{1,5}/g) ?? []) {
      if (pace > 0 && prompt.includes("Count")) await sleep(pace);
      yield piece;
      if (failsAt !== "" && prompt.includes(failsAt)) throw new Error("The GPU is gone.");
    }
    yield { finish: "stop", usage: { inputTokens: 7, outputTokens: 9 } };
  };
