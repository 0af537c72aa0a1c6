import type { CreateMessageResult, SamplingMessage } from "@modelcontextprotocol/sdk/types.js";
import type { FinishReason, TextMessage, TextModel } from "@toolingua/core";
import type { McpSampling } from "./connection-options.js";
import { blockText, type ShownBlock } from "./content.js";

/**
 * Lets a text model answer sampling requests of servers: for `onSample` of {@link connectMcp}. Images are passed as
 * images; the model may ignore them. Ask the user first if a server should not use the model's time.
 *
 * Errors: those of the model, which the server receives.
 *
 * @example await connectMcp(servers, { onSample: sampleWith(model, "llama3") });
 */
export const sampleWith =
  (model: TextModel, name = "model") =>
  async ({ messages, systemPrompt, maxTokens, temperature, stopSequences, signal }: McpSampling) => {
    let text = "";
    let finish: FinishReason | undefined;
    const request = {
      messages: textMessages(messages, systemPrompt),
      maxTokens,
      signal,
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences && { stop: stopSequences }),
    };
    for await (const chunk of model(request)) {
      if (typeof chunk === "string") text += chunk;
      else if (chunk.finish !== undefined) ({ finish } = chunk);
    }
    const result: CreateMessageResult = {
      model: name,
      role: "assistant",
      content: { type: "text", text },
      stopReason: stopReasons[finish ?? "stop"],
    };
    return result;
  };

/** The protocol's names, which may be extended. */
const stopReasons: Record<FinishReason, string> = {
  stop: "endTurn",
  length: "maxTokens",
  "content-filter": "contentFilter",
};

/** The messages of a request for a text model: user and assistant alternate. */
function textMessages(messages: readonly SamplingMessage[], systemPrompt: string | undefined): TextMessage[] {
  const all: TextMessage[] = systemPrompt ? [{ role: "system", content: systemPrompt }] : [];
  for (const { role, content } of messages) {
    const blocks = (Array.isArray(content) ? content : [content]) as ShownBlock[];
    const pictures = blocks.flatMap((block) => (block.type === "image" ? [block] : []));
    const images = pictures.map(({ mimeType, data }) => ({ url: `data:${mimeType};base64,${data}` }));
    const text = blocks
      .filter(({ type }) => type !== "image" || role !== "user")
      .map(blockText)
      .join("\n");
    const last = all.at(-1);
    if (last?.role === role) {
      last.content = [last.content, text].filter(Boolean).join("\n\n");
      if (role === "user" && images.length > 0) last.images = [...(last.images ?? []), ...images];
    } else all.push({ role, content: text, ...(role === "user" && images.length > 0 && { images }) });
  }
  return all;
}
