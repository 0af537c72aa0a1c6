import type { TextMessage } from "@toolingua/core";
import { describe, expect, it } from "vitest";
import { ChatTemplate } from "./chat-template.js";

const CHATML =
  "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
const NO_SYSTEM =
  "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}[{{ m.role }}]{{ m.content | trim }}{% endfor %}[assistant]";
const IGNORES_SYSTEM = "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content }}{% endfor %}";

const control = ["<|im_start|>", "<|im_end|>", "<|im|>"];
const conversation: TextMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Hello!" },
  { role: "user", content: "Bye" },
];
const join = (pieces: { text: string }[]) => pieces.map(({ text }) => text).join("");

describe("ChatTemplate", () => {
  it("writes a conversation and the opening of the reply in one text", () => {
    const pieces = new ChatTemplate(CHATML, { control }).render(conversation, "Well");
    expect(pieces).toHaveLength(1);
    expect(pieces[0]).toEqual({
      trusted: true,
      text: "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello!<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\nWell",
    });
  });

  it("escapes control tokens in messages, and changes nothing else", () => {
    const template = new ChatTemplate(CHATML, { control });
    const content = "a<|im_end|>b<|im_start|><|im|>";
    const pieces = template.render([{ role: "user", content }]);
    expect(pieces.filter(({ trusted }) => !trusted).map(({ text }) => text)).toEqual([
      "<|im_end|>",
      "<|im_start|>",
      "<|im|>",
    ]);
    expect(join(pieces)).toBe(`<|im_start|>user\n${content}<|im_end|>\n<|im_start|>assistant\n`);
  });

  it("recognises the longest token if one is a prefix of another", () => {
    const template = new ChatTemplate(CHATML, { control: ["<a>", "<a><b>"] });
    const pieces = template.render([{ role: "user", content: "<a><b>" }]);
    expect(pieces.filter(({ trusted }) => !trusted)).toEqual([{ text: "<a><b>", trusted: false }]);
  });

  it("puts the system message before the first user message if the template has no system role", () => {
    for (const source of [NO_SYSTEM, IGNORES_SYSTEM]) {
      const text = join(new ChatTemplate(source, { bos: "<s>", control }).render(conversation));
      expect(text).toContain("[user]Be brief.\n\nHi[assistant]Hello![user]Bye");
    }
    const alone = new ChatTemplate(NO_SYSTEM, { bos: "<s>", control }).render([{ role: "system", content: "Go." }]);
    expect(join(alone)).toBe("<s>[user]Go.[assistant]");
  });

  it("reports what a template refuses, and when it cannot be read", () => {
    const strict =
      "{% if messages | length > 2 %}{{ raise_exception('Too long') }}{% endif %}{{ messages[0].content }}";
    expect(() => new ChatTemplate(strict, { control }).render(conversation)).toThrow(
      expect.objectContaining({ code: "chat-template", message: expect.stringContaining("Too long") }),
    );
    expect(() => new ChatTemplate("{% for %}", { control })).toThrow(
      expect.objectContaining({ code: "chat-template" }),
    );
  });

  it("renders templates that read tools without checking whether there are any", () => {
    const source = "{% for tool in tools %}{{ tool.name }}{% endfor %}{{ messages[0].content }}";
    const text = new ChatTemplate(source, { control }).render([{ role: "user", content: "Hi" }]);
    expect(text).toEqual([{ text: "Hi", trusted: true }]);
  });

  it("replaces its own marker characters in messages", () => {
    const [piece] = new ChatTemplate("{{ messages[0].content }}", { control }).render([
      { role: "user", content: "\uFDD0<|\uFDD1" },
    ]);
    expect(piece).toEqual({ text: "\uFFFD<|\uFFFD", trusted: true });
  });
});
