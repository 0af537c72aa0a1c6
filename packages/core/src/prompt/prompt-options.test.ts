import { describe, expect, it } from "vitest";
import type { hermes } from "../protocols/hermes.js";
import { renderPrompt } from "./render-prompt.js";

describe("the options of renderPrompt", () => {
  const ask = (options: object) => () => renderPrompt({ messages: [{ role: "user", content: "Hi" }], ...options });

  it.each([
    [{ toolchoice: "required" }, /no "toolchoice" in the options of renderPrompt\. Did you mean "toolChoice"\?/],
    [{ parallel_tool_calls: false }, /no "parallel_tool_calls" .* Did you mean "parallel"\?/],
    [{ style: "jsno" }, /^`style` is .*, not "jsno"\. Did you mean "json"\?$/],
    [{ backend: "llamacpp" }, /^`backend` is "gbnf", .* Did you mean "llama\.cpp"\?$/],
    [{ constraint: "auto" }, /^`constraint` is true, false or "required", not "auto"\.$/],
    [{ grammar: { maxItem: 3 } }, /no "maxItem" in `grammar`\. Did you mean "maxItems"\?/],
    [{ prefill: "{" }, /^`prefill` is true or false, not "\{"\.$/],
    [{ tools: {} }, /^`tools` is a list of tools/],
    [{ markers: "<x>" }, /^`markers` is a list of strings/],
    [{ markers: new Array<string>(1) }, /^`markers` is a list of strings/],
    [{ guard: new Array<typeof hermes>(1) }, /^`guard` is a list of protocols/],
  ])("%j is refused", (options, message) => {
    expect(ask(options)).toThrow(
      expect.objectContaining({ name: "OptionsError", code: "bad-option", message: expect.stringMatching(message) }),
    );
  });

  it("may all be undefined", () => {
    const undef = { tools: undefined, listed: undefined, style: undefined, constraint: undefined, guard: undefined };
    expect(ask(undef)()).toEqual(ask({})());
  });

  it("must be an object", () => {
    expect(() => renderPrompt(JSON.parse("[]"))).toThrow(
      /^The options of renderPrompt must be an object, not a list\.$/,
    );
  });
});
