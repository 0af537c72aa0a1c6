// Models that answer immediately, so that the framework and the wrapper are measured, not a model.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";

const chunkOf = (fields, text = "") => new ChatGenerationChunk({ message: new AIMessageChunk(fields), text });

/** The pieces of a text, as long as tokens are. */
const pieces = (text) => text.match(/[\s\S]{1,4}/g) ?? [];

/** Writes text, and nothing else. */
export class TextModel extends BaseChatModel {
  constructor(reply) {
    super({});
    this.reply = reply;
  }

  _llmType() {
    return "text";
  }

  async _generate() {
    return { generations: [{ text: this.reply, message: new AIMessage(this.reply) }] };
  }

  async *_streamResponseChunks(_messages, _options, runManager) {
    for (const text of pieces(this.reply)) {
      const chunk = chunkOf({ content: text }, text);
      yield chunk;
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

/** Calls tools as a model with an API for it does: the same words, the same call, in pieces of the same length. */
export class NativeModel extends BaseChatModel {
  constructor({ text, name, args }) {
    super({});
    Object.assign(this, { text, name, args });
  }

  _llmType() {
    return "native";
  }

  bindTools(tools, kwargs) {
    return this.withConfig({ ...kwargs, tools });
  }

  async _generate() {
    const tool_calls = [{ type: "tool_call", id: "1", name: this.name, args: this.args }];
    return { generations: [{ text: this.text, message: new AIMessage({ content: this.text, tool_calls }) }] };
  }

  async *_streamResponseChunks(_messages, _options, runManager) {
    const call = (fields) =>
      chunkOf({ content: "", tool_call_chunks: [{ type: "tool_call_chunk", index: 0, ...fields }] });
    const chunks = [
      ...pieces(this.text).map((text) => chunkOf({ content: text }, text)),
      call({ id: "1", name: this.name, args: "" }),
      ...pieces(JSON.stringify(this.args)).map((args) => call({ args })),
    ];
    for (const chunk of chunks) {
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

/** Passes on what another model streams and does nothing else: what any wrapper costs in LangChain. */
export class PassThrough extends BaseChatModel {
  constructor(inner) {
    super({});
    this.inner = inner;
  }

  _llmType() {
    return "pass-through";
  }

  async _generate(messages) {
    let whole;
    for await (const chunk of await this.inner.stream(messages, { callbacks: [] }))
      whole = whole?.concat(chunk) ?? chunk;
    return { generations: [{ text: whole.text, message: whole }] };
  }

  async *_streamResponseChunks(messages, _options, runManager) {
    for await (const message of await this.inner.stream(messages, { callbacks: [] })) {
      const chunk = new ChatGenerationChunk({ message, text: message.text });
      yield chunk;
      await runManager?.handleLLMNewToken(message.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}
