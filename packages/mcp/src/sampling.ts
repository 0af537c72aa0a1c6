import type { CreateMessageResult, SamplingMessage } from "@modelcontextprotocol/sdk/types.js";
import type { TextMessage, TextModel } from "@toolingua/core";
import { blockText, type ShownBlock } from "./content.js";
import type { McpSampling } from "./options.js";

/**
 * Lets a text model answer what servers ask of one: for `onSample` of {@link connectMcp}. Pictures go to it as images; whether
 * it looks at them is up to the model. Ask the user before, where a server is not to be trusted with the model's time.
 *
 * Errors: what the model throws, which the server is told.
 *
 * @example await connectMcp(servers, { onSample: sampleWith(model, "llama3") });
 */
export const sampleWith =
  (model: TextModel, name = "model") =>
  async ({ messages, systemPrompt, maxTokens, temperature, stopSequences, signal }: McpSampling) => {
    let text = "";
    let finish: string | undefined;
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
      stopReason: finish === "length" ? "maxTokens" : "endTurn",
    };
    return result;
  };

/** As any text model takes messages: user and assistant in turn. */
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
