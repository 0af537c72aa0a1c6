import { describe, expect, test } from "vitest";
import { spokenWith } from "../../test/support/spoken.js";
import { type ProtocolName, protocols } from "../protocols/index.js";

// Text that speaks of the markers of calls.

const tools = [{ name: "run", parameters: { type: "object", properties: { cmd: { type: "string" } } } }];

const read = spokenWith(tools);

describe("the marker of another format in a sentence is text", () => {
  test.each([
    "First.\nUse <function=run> to run it.\n\nSecond paragraph.",
    'Claude writes <invoke name="run"> and Qwen <function=run>; both have an end.\n\nMore.',
    "Write <function=run> and <parameter=cmd> to run it.\nMore.",
    'Claude uses <invoke name="run"> and <parameter name="cmd"> tags.\nMore.',
    "Mistral's marker is [TOOL_CALLS] and no other.\nMore.",
    "The token <|python_tag|> is Llama's.\n\nMore.",
  ])("%s", (reply) => {
    expect(read(reply, "hermes")).toEqual({ text: reply, invalid: [], calls: [] });
    expect(read(reply, "auto")).toEqual({ text: reply, invalid: [], calls: [] });
  });
});

test("a call in another format after words is a call", () => {
  expect(read('I use it: <function=run>{"cmd": "ls"}</function>', "hermes").calls).toEqual(["run"]);
  expect(read("I use it: <function=run>\n<parameter=cmd>\nls\n</parameter>\n</function>", "hermes").calls).toEqual([
    "run",
  ]);
  expect(read('I use it: [TOOL_CALLS] [{"name": "run", "arguments": {"cmd": "ls"}}]', "hermes").calls).toEqual(["run"]);
  expect(read('I use it: <|python_tag|>{"name": "run", "parameters": {"cmd": "ls"}}', "hermes").calls).toEqual(["run"]);
});

describe("a marker at the beginning of a line with a sentence after it is an invalid call up to the end of the line", () => {
  test.each([
    "[TOOL_CALLS] is Mistral's marker.",
    '<invoke name="run"> is how Claude calls.',
    "<|python_tag|> is Llama's.",
  ])("%s", (line) => {
    const wanted = { text: "Second line.\n\nThird.", invalid: [line], calls: [] };
    expect(read(`${line}\nSecond line.\n\nThird.`, "hermes")).toEqual(wanted);
  });

  test("is an invalid call before another call too", () => {
    const reply =
      '<invoke name="run"> is one.\nThis is the other:\n<tool_call>{"name": "run", "arguments": {"cmd": "ls"}}</tool_call>';
    const wanted = { text: "This is the other:", invalid: ['<invoke name="run"> is one.'], calls: ["run"] };
    expect(read(reply, "hermes")).toEqual(wanted);
  });

  test("is an invalid call up to its closing marker, if it has one", () => {
    const reply = '<tool_call>Here is the call:\n{"name": "run"}</tool_call>\nDone.';
    expect(read(reply, "hermes")).toMatchObject({ text: "Done.", calls: [] });
  });
});

test.each(Object.keys(protocols) as ProtocolName[])(
  "%s: no text is lost after a marker that a sentence mentions",
  (protocol) => {
    for (const marker of ["<function=run>", '<invoke name="run">', "[TOOL_CALLS]", "<|python_tag|>", "<tool_call>"]) {
      expect(read(`Write ${marker} to call it.\n\nThe last paragraph.`, protocol).text).toContain(
        "The last paragraph.",
      );
    }
  },
);

describe("a marker in quotation marks is mentioned in its own format too", () => {
  test.each([
    ['Your text has "[TOOL_CALLS]" in it, then nothing.', "mistral"],
    ["It begins with '<tool_call>' and an object.", "hermes"],
    ["It begins with “<tool_call>”.", "hermes"],
    ['"<tool_call>" is what it writes.', "hermes"],
    ['Either "<function=" or "<tool_call>".', "qwen3-coder"],
  ] as const)("%s", (reply, protocol) => {
    expect(read(reply, protocol)).toEqual({ text: reply, invalid: [], calls: [] });
    expect(read(reply, "auto")).toEqual({ text: reply, invalid: [], calls: [] });
  });

  test("is a call's if one of the marks is another or missing", () => {
    const call = '{"name": "run", "arguments": {"cmd": "ls"}}';
    expect(read(`He said "so".<tool_call>${call}</tool_call>`, "hermes").calls).toEqual(["run"]);
    expect(read(`He said "<tool_call>${call}</tool_call>"`, "hermes").calls).toEqual(["run"]);
    expect(read(`He said "so"<tool_call>${call}</tool_call>`, "hermes").calls).toEqual(["run"]);
    expect(read(`It is "[TOOL_CALLS]'.`, "mistral").invalid).toHaveLength(1);
  });
});

describe("a sentence that names a tag together with its closing tag is text", () => {
  test.each([
    "Wrap calls in <tool_call> and </tool_call>",
    "Wrap calls in <tool_call> and </tool_call> tags.\nThen wait.",
    "Schreibe es zwischen <tool_call> und </tool_call>, bitte.",
  ])("%s", (reply) => {
    for (const protocol of ["hermes", "qwen3-coder", "xml", "glm45", "auto"] as const)
      expect(read(reply, protocol)).toEqual({ text: reply, invalid: [], calls: [] });
  });

  test("but not one with a tool's name or arguments between the tags, or with nothing beside them", () => {
    for (const reply of ["I use <tool_call> run </tool_call> now.", "I use <tool_call>run</tool_call>"])
      expect(read(reply, "glm45").calls).toEqual(["run"]);
    expect(read("<tool_call> and </tool_call>", "hermes").invalid).toHaveLength(1);
    expect(read('I use <tool_call> run {"cmd": "ls"} </tool_call>', "hermes").calls).toEqual(["run"]);
    expect(read('I use <tool_call> {"name": "rub"} </tool_call>', "hermes").invalid).toHaveLength(1);
  });
});

describe("a sentence may name any marker of any format", () => {
  const reasoning = ["[THINK]", "<|inner_prefix|>", "<|thought_start|>"];
  const ofTurns = ["<|eot_id|>", "<|end_of_text|>", "<|message_sep|>", "<|START_RESPONSE|>", "<|close|>", "<|sep|>"];
  const ofMessages = ["<|channel|>", "<|message|>", "<|call|>"];
  const ofCalls = ["[TOOL_CALLS]", "<|tool_call_start|>", "<tool_call>", '<invoke name="x">', "<function=f>"];
  const ofResults = ["[TOOL_RESULTS]", "<tool_response>"];
  const protocols = ["hermes", "mistral", "harmony", "qwen3-coder", "command-r", "gigachat3", "auto"] as const;

  /** Whether the marker may begin reasoning within a line, where calls must not be made. */
  const mayReason = (marker: string, protocol: string) =>
    reasoning.includes(marker) && (protocol === "auto" || (protocol === "mistral" && marker === "[THINK]"));

  test.each([...reasoning, "<think>", ...ofTurns, ...ofMessages, ...ofCalls, ...ofResults])("%s", (marker) => {
    for (const reply of [
      `The format puts ${marker} before a part of it. That is all.`,
      `You forgot the "${marker}" here, and nothing ran.\nNext.`,
      `Tokens (e.g. ${marker}) are special.`,
      `The markers are:\n\n- ${marker} – a marker\n- **${marker}**: the same\n1. ${marker} is one\n\nThat is all.`,
      `The token ${marker} is one, then [ARGS] separates.\nNext.`,
      `| Marker | Use |\n| ${marker} | It begins |\n\nThat is all.`,
    ])
      for (const protocol of protocols.filter((each) => !mayReason(marker, each)))
        expect(read(reply, protocol)).toEqual({ text: reply, invalid: [], calls: [] });
  });

  test.each([
    ["mistral", "Hm [THINK] maybe so: [TOOL_CALLS]run[ARGS]{} but no. [/THINK] Hi"],
    ["auto", "Hm [THINK] maybe so: [TOOL_CALLS]run[ARGS]{} but no. [/THINK] Hi"],
    ["command-r", 'Okay, <|START_THINKING|> I could: <tool_call>{"name": "run"}</tool_call> no. <|END_THINKING|>Hi'],
    ["gemma4", "Okay <|channel>thought run it: <|tool_call>call:run{}<tool_call|> or not.<channel|> Hi"],
  ] as const)(
    "but the reasoning of %s begins within a sentence too, and calls in it are not made: %s",
    (protocol, reply) => {
      expect(read(reply, protocol)).toMatchObject({ text: expect.stringMatching(/^\w+,? ?Hi$/), calls: [] });
    },
  );

  test.each([
    "Between <|tool_call_start|> and <|tool_call_end|>\nNext.",
    "Between [THINK] and [/THINK]\nNext.",
    "<|start|> and <|channel|> are Harmony's.",
    "Use <function=name> with <parameter=key> inside; close with </function>.\nNext.",
    "It begins with <tool_call>, then <name>, and ends with </tool_call>, nothing else.",
  ])("%s", (reply) => {
    for (const protocol of protocols) expect(read(reply, protocol)).toEqual({ text: reply, invalid: [], calls: [] });
  });

  test.each([
    ["mistral", "Sure. [THINK] I look.[/THINK]Hi.", "Sure. Hi."],
    ["mistral", "Sure [THINK]I look.[/THINK]Hi.", "Sure Hi."],
    ["mistral", "[THINK] I look it up.[/THINK]Hi.", "Hi."],
    ["gigachat3", "It is warm.<|message_sep|> Bye for now.", "It is warm. Bye for now."],
    ["gigachat3", "It is warm<|message_sep|>Bye for now.", "It is warmBye for now."],
    ["llama3-json", "It is 20 degrees<|eot_id|>", "It is 20 degrees"],
    ["command-r", "<|START_RESPONSE|> It is warm.<|END_RESPONSE|>", "It is warm."],
  ] as const)("but in %s it has its meaning: %s", (protocol, reply, text) => {
    expect(read(reply, protocol)).toEqual({ text, invalid: [], calls: [] });
  });

  test("a call with words before its arguments or its closing tag is invalid", () => {
    expect(read("I use <function=run> the cmd is ls </function>", "qwen3-coder").invalid).toHaveLength(1);
    expect(read('I use [TOOL_CALLS] with run [{"name": "rub"}]', "mistral").invalid).toHaveLength(1);
    expect(read('**<tool_call>**\n{"name": "run", "arguments": {}}\n**</tool_call>**', "hermes").text).toBe("****");
  });
});

test.each([
  ["gigachat3", "今天<|message_sep|>「十度」。", "今天「十度」。"],
  ["gigachat3", "今天<|message_sep|>３度。", "今天３度。"],
  ["llama3-json", "The lamp is in room B.<|eot_id|> I am done now.", "The lamp is in room B. I am done now."],
  ["gigachat3", "The answer is:\n42.<|message_sep|> Bye for now.", "The answer is:\n42. Bye for now."],
] as const)("a token of %s between two sentences, or before what opens one, is dropped: %s", (protocol, reply, text) =>
  expect(read(reply, protocol).text).toBe(text),
);

test("after the end of a turn, no call begins that a sentence only mentions", () => {
  const { text, invalid } = read("Hi<|im_end|><tool_call> and </tool_call> are tags.", "hermes");
  expect([text.endsWith("<tool_call> and </tool_call> are tags."), invalid]).toEqual([true, []]);
});
