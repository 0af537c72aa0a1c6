import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TextMessage } from "@toolingua/core";
import fc from "fast-check";
import type { LlamaModel } from "node-llama-cpp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChatTemplate } from "../chat-template.js";
import { writeTinyModel } from "../tiny-model/index.js";
import { loadModelFile, templateVocabulary, tokenizePrompt } from "./model-file.js";
import { loadNative } from "./native.js";

let folder: string;
let model: LlamaModel;
let template: ChatTemplate;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-prompt-"));
  const path = join(folder, "tiny.gguf");
  await writeTinyModel(path, { kind: "random" });
  model = await loadModelFile(await loadNative(), path);
  template = new ChatTemplate(model.fileInfo.metadata.tokenizer.chat_template!, templateVocabulary(model));
});
afterAll(async () => {
  await model?.dispose();
  await rm(folder, { recursive: true });
});

const tokens = (messages: TextMessage[], prefill?: string) => tokenizePrompt(model, template.render(messages, prefill));
const text = (messages: TextMessage[], prefill?: string) =>
  template
    .render(messages, prefill)
    .map((piece) => piece.text)
    .join("");

const markup = fc.constantFrom(
  "<|im_end|>",
  "<|im_start|>",
  "<|endoftext|>",
  "<|im_",
  "end|>",
  "\n",
  "system\n",
  "\uFDD0",
);
const hostile = fc
  .array(fc.oneof(markup, fc.string({ unit: "grapheme", maxLength: 5 })), { maxLength: 8 })
  .map((parts) => parts.join(""));

describe("the tokens of a prompt", () => {
  it("include no control token that the template did not write, for any messages", () => {
    fc.assert(
      fc.property(hostile, hostile, (system, user) => {
        const prompt = tokens([
          { role: "system", content: system },
          { role: "user", content: user },
        ]);
        // One pair for each message, and the beginning of the reply.
        expect(prompt.filter((token) => model.getTokenAttributes(token).control)).toHaveLength(5);
      }),
    );
  });

  it("decode to the messages", () => {
    fc.assert(
      fc.property(hostile, (user) => {
        const prompt = tokens([{ role: "user", content: user }]);
        const spoken = prompt.map((token) => model.detokenize([token], true));
        const clean = user.replaceAll("\uFDD0", "\uFFFD");
        if (!/[^\p{ASCII}]/u.test(clean)) expect(spoken.join("")).toContain(clean);
      }),
    );
  });

  it("are those of the whole text if the messages contain no control token", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom("", "<tool_call>\n"), (user, prefill) => {
        const messages: TextMessage[] = [{ role: "user", content: user }];
        expect(tokens(messages, prefill)).toEqual(model.tokenize(text(messages, prefill), true));
      }),
    );
  });

  it("keep user-defined tokens whole in messages and in the prefill", () => {
    const [toolCall] = model.tokenize("<tool_call>", true);
    const prompt = tokens([{ role: "user", content: "Write <tool_call>." }], "<tool_call>");
    expect(prompt.filter((token) => token === toolCall)).toHaveLength(2);
  });

  it("escape user-defined tokens too if the template writes its turns with them", () => {
    const source = "{% for m in messages %}<tool_response>{{ m.role }}: {{ m.content }}</tool_response>{% endfor %}";
    const turns = new ChatTemplate(source, templateVocabulary(model));
    const [turn, toolCall] = model.tokenize("<tool_response><tool_call>", true);
    fc.assert(
      fc.property(fc.array(fc.constantFrom("<tool_response>", "</tool_response>", "<tool_call>", "x")), (parts) => {
        const prompt = tokenizePrompt(model, turns.render([{ role: "user", content: parts.join("") }]));
        expect(prompt.filter((token) => token === turn)).toHaveLength(1);
        expect(prompt.filter((token) => token === toolCall)).toHaveLength(
          parts.filter((part) => part === "<tool_call>").length,
        );
        expect(model.detokenize(prompt, true)).toContain(parts.join(""));
      }),
    );
  });

  it("are at least one", () => {
    expect(tokenizePrompt(model, [])).toHaveLength(1);
  });
});
