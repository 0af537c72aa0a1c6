import { describe, expect, test } from "vitest";
import { spokenWith } from "../../test/support/spoken.js";

// Text that speaks of markers in other scripts and languages, in lists, in tables and in HTML.

const parameters = { type: "object", properties: { cmd: { type: "string" } } };
const tools = ["run", "ls", "天气"].map((name) => ({ name, parameters }));
const args = '{"cmd": "ls"}';

const read = spokenWith(tools);

const all = ["hermes", "qwen3-coder", "glm45", "mistral", "pangu-v2", "auto"] as const;

/** Expects that a reply is text in each format. */
function expectText(reply: string): void {
  for (const protocol of all) expect(read(reply, protocol), protocol).toEqual({ text: reply, invalid: [], calls: [] });
}

describe("words may follow a marker directly in scripts without spaces", () => {
  test.each([
    "模型使用<tool_call>标签来调用工具。今天晴天。\n再见。",
    "モデルは<tool_call>を使います。\nおわり。",
    "모델은 <tool_call>을 씁니다.\n끝.",
    "很简单。<tool_call>标签用来调用工具。\n再见。",
    "模型使用[TOOL_CALLS]标签，然后停止。",
    "模型使用<|tool_call_start|>标签和<function=run>标签。再见。",
    "使用<function=run>标签。再见。",
    "模型使用<tool_call>。再见。",
    "模型使用<tool_call>、<function=run>和[TOOL_CALLS]。再见。",
    "它叫《<tool_call>》（标签）。再见。",
    "Das <tool_call>-Tag umschließt es. Ende.",
  ])("%s", expectText);

  test("at the beginning of a line only that line is an invalid call", () => {
    expect(read("<tool_call>标签用来调用工具。\n再见。", "hermes").text).toBe("再见。");
  });

  test("but a name, arguments or a closing tag make it a call", () => {
    const glm = "\n<arg_key>cmd</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>";
    for (const before of ["好的", "好的。", "我来 "]) {
      expect(read(`${before}<tool_call>天气${glm}`, "glm45").calls).toEqual(["天气"]);
      expect(read(`${before}<tool_call>天气</tool_call>`, "glm45").calls).toEqual(["天气"]);
      expect(read(`${before}<tool_call>天津${glm}`, "glm45").invalid).toHaveLength(1);
      expect(read(`${before}<tool_call>天津 市${glm.trim()}`, "glm45").invalid).toHaveLength(1);
      expect(read(`${before}[TOOL_CALLS]天气[ARGS]${args}`, "mistral").calls).toEqual(["天气"]);
      expect(read(`${before}[TOOL_CALLS]天气${args}`, "mistral").calls).toEqual(["天气"]);
      expect(read(`${before}<tool_call>天气(cmd='ls')</tool_call>`, "hermes").calls).toEqual(["天气"]);
      expect(read(`${before}<tool_call>我要查天气。</tool_call>`, "hermes").invalid).toHaveLength(1);
    }
  });

  test("and a token that was leaked, or reasoning, has its meaning", () => {
    expect(read("好的[THINK]我想想。[/THINK]你好", "mistral").text).toBe("好的你好");
    expect(read("好的。<think>我想想。</think>你好", "hermes").text).toBe("好的。你好");
    expect(read("今天晴<|message_sep|>再见。", "gigachat3").text).toBe("今天晴再见。");
  });
});

describe("a marker in quotation marks with spaces, a cell of a table or an element of HTML is mentioned", () => {
  test.each([
    "Il écrit « <tool_call> » avant. Voilà.",
    "Il écrit «\u00a0<tool_call>\u00a0».\nVoilà.",
    "Il écrit «\u202f[TOOL_CALLS]\u202f» et {rien}.\nVoilà.",
    "Es heißt »<tool_call>«.\nEnde.",
    "| Format | Marker |\n|---|---|\n| Hermes | <tool_call> |\n| Mistral | [TOOL_CALLS] |\n| Qwen | <function=run> |\n\nDone.",
    '| Marker | Then |\n|---|---|\n| <tool_call> | {"name": "run"} |\n|[TOOL_CALLS]|a list|\n\nDone.',
    "| Hermes: <tool_call> |\n\nDone.",
    "Use <code><tool_call></code> for it. Done.",
    "<td><tool_call></td> and <td><function=run></td>\nDone.",
    'Use <span class="x">[TOOL_CALLS]</span>.\nDone.',
  ])("%s", expectText);

  test("but a call between them is one", () => {
    const call = `<tool_call>{"name": "run", "arguments": ${args}}</tool_call>`;
    for (const [open, close] of [
      ["« ", " »"],
      ["| ", " |"],
      ["<code>", "</code>"],
    ])
      expect(read(`So ${open}${call}${close}`, "hermes").calls).toEqual(["run"]);
  });
});

describe("one short word between a marker and its closing marker", () => {
  const words = ["и", "en", "i", "과", "と", "och", "&", "/", "…", "...", ",", "–"];

  test.each(words)("is none of a call: %s", (word) => {
    for (const [open, close] of [
      ["<tool_call>", "</tool_call>"],
      ["<|tool_call_start|>", "<|tool_call_end|>"],
      ["[THINK]", "[/THINK]"],
    ]) {
      expectText(`Wrap it in ${open} ${word} ${close} now. Fine.\nNext.`);
      expectText(`Wrap it in ${open} ${word} ${close}`);
    }
  });

  test.each(["과", "と", "&", "/", "…", "...", ","])("without spaces too, unless it has capitals: %s", (word) =>
    expectText(`Wrap it in <tool_call>${word}</tool_call> now. Fine.`),
  );

  test("unless it is a tool's name, an object, a number, or alone in its line", () => {
    expect(read("I use <tool_call> ls </tool_call> now.", "glm45").calls).toEqual(["ls"]);
    expect(read("I use <tool_call>ls</tool_call> now.", "glm45").calls).toEqual(["ls"]);
    for (const body of ["{}", "rm", " 5 ", " delete "])
      expect(read(`I use <tool_call>${body}</tool_call> now.`, "glm45").invalid).toHaveLength(1);
    expect(read("<tool_call> и </tool_call>", "hermes").invalid).toHaveLength(1);
    expect(read("Sure [THINK]好[/THINK]Hi.", "mistral").text).toBe("Sure Hi.");
    expect(read("Sure. [THINK] Hm. [/THINK]Hi.", "mistral").text).toBe("Sure. Hi.");
    expect(read("Sure. [THINK] hm [/THINK]Hi.", "mistral").text).toBe("Sure. Hi.");
  });
});

describe("a marker and its closing marker directly after it are named in a sentence", () => {
  test.each([
    "You wrap the object in <tool_call></tool_call> tags, and results come in <tool_response></tool_response> tags. Fine.",
    "Each call is within <|tool_call_start|><|tool_call_end|> tokens. Fine.",
    "Each block is within <｜DSML｜ calls></｜DSML｜ calls> when it is needed. Fine.",
    "Die Aufrufe stehen in <tool_call></tool_call>-Tags. Gut.",
    "Use <tool_call></tool_call>.",
    "Use <tool_call> </tool_call> tags. Fine.",
    "调用写在<tool_call></tool_call>标签中。好。",
    "- <tool_call></tool_call>: around each call\n- <tool_response></tool_response>: around each result\n",
  ])("%s", expectText);

  test("but alone they are a broken call", () => {
    for (const reply of ["I look. <tool_call></tool_call>", "I look. <tool_call></tool_call>\nDone. Fine."])
      expect(read(reply, "hermes").invalid).toHaveLength(1);
  });
});

describe("a list may name markers in brackets, each with words in parentheses", () => {
  test.each([
    "The markers are <tool_call> (Hermes) and [MARK] (Mark). Nice.",
    "The markers are [MARK] (Mark) and <tool_call> (Hermes). Nice.",
    "Known: <tool_call> (Hermes), [TOOL_CALLS] (Mistral), <|python_tag|> (Llama). Nice.",
    "Known: [TOOL_CALLS], <tool_call>, [MARK]. Nice.",
    "They are [TOOL_CALLS] and [MARK].\nNice.",
  ])("%s", expectText);

  test("but not a list of JSON", () => {
    expect(read('I use [TOOL_CALLS] (now) [{"name": "rub"}]', "mistral").invalid).toHaveLength(1);
    expect(read(`I use [TOOL_CALLS] [{"name": "run", "arguments": ${args}}]`, "mistral").calls).toEqual(["run"]);
  });
});
