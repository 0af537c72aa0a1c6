import { type ProtocolName, parseReply, protocolForModel } from "@toolingua/core";
import { quoted } from "../../json.js";
import { type Check, everyReply } from "../check.js";
import { type ApiName, all } from "../clients.js";
import type { Reply } from "../reply.js";

// A model that calls, and a server that does not parse it: the call is in the text.

/** Formats whose markers do not occur in ordinary answers. */
const marked: readonly ProtocolName[] = [
  ...(["hermes", "qwen3-coder", "mistral", "mistral-list", "glm45", "kimi-k2", "granite", "granite4"] as const),
  ...(["deepseek-v31", "deepseek-v3", "minimax-m2", "seed-oss"] as const),
];

/** The format of a call in a text that should contain none. */
export function callIn({ scenario, text, calls }: Reply, model: string): string | undefined {
  const tools = scenario.tools.map(({ name, parameters }) => ({ name, parameters: { ...parameters } }));
  if (calls.length > 0 || tools.length === 0 || scenario.choice === "none" || text === "") return undefined;
  const own = protocolForModel(model);
  return [own, ...marked].find((protocol) => parseReply(text, { protocol, tools }).toolCalls.length > 0);
}

/** The check of an API for calls that the server's parser missed. */
export const missedCalls = (api: ApiName): Check => ({
  id: `${api}.calls.read`,
  title: "Calls that the model writes are read, and are not text",
  level: "fault",
  says: "A call is an item of its own; the text is what the user is to read.",
  source: "https://platform.openai.com/docs/guides/function-calling",
  breaks: all(api, "shows the markup of a call as the answer, and runs nothing"),
  judge: (evidence, level) =>
    everyReply({
      of: ({ scenario }) => scenario.tools.length > 0,
      wrong(reply) {
        const protocol = callIn(reply, evidence.model);
        return protocol && `the text has a call in the format ${protocol}: ${quoted(reply.text)}`;
      },
      unseen: "no question with tools was answered",
    })(evidence, level),
});
