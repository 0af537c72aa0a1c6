import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Piece, pieces } from "../../../test/support/pieces.js";
import { tools } from "../../../test/support/read.js";
import { type ChatMessage, createReplyParser, generateWithTools, type ProtocolName, protocols } from "../../index.js";
import { headTokens, turnEndTokens, turnsAfterCalls } from "../../syntax/turn-tokens.js";

const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const weather: Piece = ["call", "get_weather"];

/** The parts of a reply that are not dropped. */
const shown = (reply: string, protocol: ProtocolName) => pieces(reply, protocol).filter(([kind]) => kind !== "dropped");

/** The text of a reply that is read in pieces of some length, and what of it is dropped. */
function joined(reply: string, size: number): [text: string, dropped: string] {
  const parser = createReplyParser({ tools, protocol: "hermes" });
  const events = Array.from({ length: Math.ceil(reply.length / size) }, (_, i) =>
    parser.push(reply.slice(i * size, (i + 1) * size)),
  );
  const all = [...events.flat(), ...parser.end()];
  const of = (type: string) => all.map((event) => (event.type === type && "text" in event ? event.text : "")).join("");
  return [of("text"), of("dropped")];
}

describe.each(turnsAfterCalls.map(({ open }) => open))("a turn that begins with %s", (token) => {
  test("directly after a call is dropped with all that follows", () => {
    for (const between of ["", "\n", "\n<|im_end|>\n"])
      expect(shown(`${call}${between}${token}\nIt is 7.\n<|assistant|>\nIt is warm.`, "hermes")).toEqual([weather]);
  });

  test("elsewhere is dropped at the end of the reply, and text in a sentence", () => {
    expect(shown(`It is warm.${token}`, "hermes")).toEqual([["text", "It is warm."]]);
    expect(shown(`${call}\nIt is warm.${token}`, "hermes")).toEqual([weather, ["text", "It is warm."]]);
    for (const sentence of [`The token ${token} begins a turn.`, `Then ${token} follows.`])
      for (const before of [[], [weather]] satisfies Piece[][])
        expect(shown(`${before.length > 0 ? `${call}\n` : ""}${sentence}`, "hermes")).toEqual([
          ...before,
          ["text", sentence],
        ]);
  });
});

test.each<[ProtocolName, string]>([
  ["internlm2", '<|action_start|><|plugin|>{"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>'],
  ["functionary", '<function=get_weather>{"city": "Oslo"}</function>'],
])("a turn with a role after a call of a block is none of its calls: %s", (protocol, written) => {
  for (const role of ["environment name=<|plugin|>", "user", "tool"])
    expect(shown(`${written}\n<|im_start|>${role}\n{"warm": true}<|im_end|>`, protocol)).toEqual([weather]);
});

const ofTheirTemplates = Object.values(protocols).flatMap(({ name, syntax }) =>
  (syntax.turns ?? []).map((token): [ProtocolName, string] => [name as ProtocolName, token]),
);

describe.each(ofTheirTemplates)("in %s, a turn that begins with %s", (protocol, token) => {
  const own = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools: [] });

  test("is dropped with the calls in it and after it", () => {
    for (const end of ["", "\n", "</s>", "<|im_end|>\n", "\n<｜end▁of▁sentence｜>", "<|end_of_text|>\n"])
      for (const turn of ["And in Rome?", "\nAnd?\n", "user<|im_middle|>And?", " And? [/INST]"])
        for (const after of [own, `<|end|>\n<|assistant|>\n${own}`, `${own}\nIt is warm.`]) {
          const madeUp = `${end}${token}${turn}${after}`;
          expect(shown(`It is warm.${madeUp}`, protocol)).toEqual([["text", "It is warm."]]);
          expect(shown(`${own}${madeUp}`, protocol)).toEqual([weather]);
        }
  });

  test("is not a turn in inline code", () => {
    const quoted = `The token \`${token}\` begins a turn.`;
    expect(shown(quoted, protocol)).toEqual([["text", quoted]]);
  });
});

describe.each(headTokens)("a turn that begins with %s and a role", (token) => {
  test.each(["user", "system", "tool", "ipython", "developer"])("is dropped in every format: %s", (role) => {
    // The extra bracket of a JSON call is dropped after it, so MiniMax's token is read after its own calls.
    for (const protocol of token.startsWith("]") ? (["minimax-m2"] as const) : (["hermes", "llama3-json"] as const)) {
      const own = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });
      for (const before of ["It is warm.", "It is warm.<|eot|>", "It is warm.<|im_end|>\n"])
        expect(shown(`${before}${token}${role}\nAnd in Rome?\n${own}`, protocol)).toEqual([["text", "It is warm."]]);
      expect(shown(`${own}<|eot|>${token}${role}\nAnd in Rome?\n${own}`, protocol)).toEqual([weather]);
    }
  });
});

describe.each([
  ...["<|message_user|>", "[|user|]", "[|tool|]", "<｜hy_User｜>", "<|user_start|>", "<|human|>", "<|environment|>"],
  ...["<|tool_output|>", "<|message_tool|>", "<|plamo:begin_tool_results:plamo|>"],
])("a token of an unknown template with a role: %s", (token) => {
  test("begins a turn directly after a call or the end of a turn, which is dropped with all that follows", () => {
    for (const protocol of ["hermes", "llama3-json", "pythonic", "granite"] as const) {
      const own = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });
      for (const before of ["", "\n", "\n<|im_end|>\n", "</s>"]) {
        const madeUp = `${before}${token}\nAnd in Rome?\n${own}`;
        expect([madeUp, shown(own + madeUp, protocol)]).toEqual([madeUp, [weather]]);
        if (before.includes(">"))
          expect([madeUp, shown(`It is warm.${madeUp}`, protocol)]).toEqual([madeUp, [["text", "It is warm."]]]);
      }
    }
  });

  test("is text in a sentence, also in one after a call", () => {
    for (const sentence of [`The token ${token} begins a turn.`, `Then ${token} follows.`])
      for (const before of ["", `${call}\n`])
        expect(shown(before + sentence, "hermes").filter(([kind]) => kind === "text")).toEqual([["text", sentence]]);
  });
});

test.each(["<|user_id|>", "<|user_input|>", "<|system_prompt|>", "[|tool_name|]", "<|environment_variables|>"])(
  "a name that only begins with a role, as of a variable, is text after a call: %s",
  (name) => {
    for (const before of ["", "\n", "\n\n"])
      expect(shown(`${call}${before}${name} is replaced.`, "hermes")).toEqual([
        weather,
        ["text", `${name} is replaced.`],
      ]);
  },
);

test.each(["User: ", "Human:", "**User:** ", "USER: "])(
  "the label %j of a transcript begins a turn directly after a call, in every format, and is text elsewhere",
  (label) => {
    for (const protocol of Object.keys(protocols) as ProtocolName[]) {
      const own = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });
      const madeUp = `\n\n${label}And in Rome?\nAssistant: ${own}`;
      expect([protocol, shown(own + madeUp, protocol)]).toEqual([protocol, [weather]]);
    }
    const answer = `${label}Ann\nCity: Oslo`;
    expect(shown(answer, "hermes")).toEqual([["text", answer]]);
    expect(shown(`${call}\nIt is warm for this user.\n${answer}`, "hermes")).toEqual([
      weather,
      ["text", `It is warm for this user.\n${answer}`],
    ]);
  },
);

test("the tokens of calls have no role", () => {
  for (const { name, renderCalls } of Object.values(protocols)) {
    const own = renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });
    expect([name, shown(`${own}${own}`, name as ProtocolName).at(-1)]).toEqual([name, weather]);
  }
});

describe("a role on its own after a token that ends a turn", () => {
  const labels = [
    "Human: ",
    "\nuser\n",
    "\n\nUser: ",
    "\n### Instruction:\n",
    "Question: ",
    "\nsystem\n",
    "USER: ",
    "用户：",
    "<s>user\n",
    "[Round 1] USER:",
    " Пользователь: ",
  ];
  const turns = [...labels, "[Round 1] USER: ", "\n\nASSISTANT: ", "\nassistant\n", "\n**User:** "];

  test.each(turns)("begins a turn, which is dropped with all that follows: %j", (label) => {
    for (const protocol of ["hermes", "pythonic"] as const) {
      const own = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });
      for (const token of ["</s>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|user|>", "<|end|>"])
        for (const rest of [`And in Rome?\n\nAssistant: ${own}`, `And in Rome?${token}\nassistant\n${own}`]) {
          expect(shown(`It is warm.${token}${label}${rest}`, protocol), token).toEqual([["text", "It is warm."]]);
          expect(shown(`${own}${token}${label}${rest}`, protocol), token).toEqual([weather]);
        }
    }
  });

  test("ends the reply where it is last", () => {
    for (const label of ["user", "\nUser:", "\n### Instruction"])
      expect(shown(`It is warm.<|im_end|>${label}`, "hermes")).toEqual([["text", "It is warm."]]);
  });

  test("is dropped where the reply begins, up to a token that ends it", () =>
    expect(shown(`<|im_end|><|endoftext|>\nuser\n${call}<|im_end|>\nIt is warm.`, "hermes")).toEqual([
      ["text", "It is warm."],
    ]));

  test("is none if it is the model's own where the reply begins", () =>
    expect(shown(`<|im_end|>\nassistant:\n${call}`, "hermes")).toContainEqual(weather));

  test("is none after an element of HTML that is struck through", () => {
    for (const text of [
      "Struck out:\n<s>name: Bob</s>\n<s>user: bob</s>\n<s>role: admin</s>.",
      "It was <s>10</s>\nuser: bob\nrole: admin",
      "Old: <s>a</s><s>Пользователь: Иван</s> and more.",
    ])
      for (const before of ["", `${call}\n`])
        expect(shown(before + text, "hermes").filter(([kind]) => kind === "text")).toEqual([["text", text]]);
    // The token with which a text begins is no element.
    for (const begin of ["<s>It is warm.", "It is warm.</s><s>And cold."])
      expect(shown(`${begin}</s>\nuser: And in Rome?\n${call}`, "hermes").map(([kind]) => kind)).toEqual(["text"]);
  });

  test("is none within a sentence", () => {
    for (const text of [
      "The token <|im_end|> user of it, the server drops.",
      "Then `</s>user: ` follows.",
      "<s>a</s> Users: 5",
    ])
      expect(pieces(text, "hermes")).toEqual([["text", text]]);
  });
});

test("what may be a turn after a token that ends one is the same streamed and whole", () => {
  const part = fc.constantFrom(
    "<s>",
    "#",
    "**",
    "[Round 1]",
    "user",
    "tool",
    ":",
    "\n",
    " ",
    "[|",
    "<|",
    "|>",
    "|]",
    "_",
    "hi",
  );
  fc.assert(
    fc.property(fc.constantFrom("", call), fc.array(part, { maxLength: 8 }), (before, parts) => {
      const reply = `${before}It is warm.</s>${parts.join("")}`;
      expect(joined(reply, 1)).toEqual(joined(reply, reply.length));
      const direct = `${call}${parts.join("")}`;
      expect(joined(direct, 1)).toEqual(joined(direct, direct.length));
    }),
    {
      numRuns: 500,
      examples: [
        ["", ["<s>", "\n", "user", ":"]],
        ["", ["[Round 1]", "\n", "user", ":"]],
      ],
    },
  );
});

describe("a token that ends a turn", () => {
  test.each(
    turnEndTokens.filter((token) => /[|｜]/.test(token) && !turnsAfterCalls.some(({ open }) => open === token)),
  )("is no text after a sentence, if more follows: %s", (token) =>
    expect(
      shown(`It is warm.${token}And more`, "hermes")
        .map(([, text]) => text)
        .join(""),
    ).toBe("It is warm.And more"),
  );
});

describe("the turn of another party with which the reply begins", () => {
  const ownTurns: [ProtocolName, string, string][] = [
    ...["user", "system", "tool"].map((role): [ProtocolName, string, string] => [
      "hermes",
      `<|im_start|>${role}`,
      "<|im_start|>assistant\n",
    ]),
    ["llama3-json", "<|start_header_id|>user<|end_header_id|>", "<|start_header_id|>assistant<|end_header_id|>\n\n"],
    ["gemma4", "<start_of_turn>user", "<start_of_turn>model\n"],
    ["deepseek-v3", "<｜User｜>", "<｜Assistant｜>"],
    ["glm45", "<|user|>", "<|assistant|>\n"],
    ["granite", "<|start_of_role|>user<|end_of_role|>", "<|start_of_role|>assistant<|end_of_role|>"],
    ["kimi-k2", "<|im_user|>user<|im_middle|>", "<|im_assistant|>assistant<|im_middle|>"],
    ["mistral", "[INST]", "[/INST]"],
    ["phi4-mini", "<|user|>", "<|assistant|>"],
  ];

  test.each(ownTurns)("is dropped with its calls, in %s after %s, up to the model's own", (protocol, other, model) => {
    const own = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools: [] });
    const theirs = protocols[protocol].renderCalls([{ name: "add", arguments: { a: 1, b: 2 } }], { tools: [] });
    for (const turn of ["Hi", theirs, `Hi ${theirs}`]) {
      expect(shown(`${other}\n${turn}${model}${own}`, protocol)).toEqual([weather]);
      expect(shown(`${other}\n${turn}${model}It is warm.`, protocol)).toEqual([["text", "It is warm."]]);
      expect(shown(`${other}\n${turn}`, protocol)).toEqual([]);
    }
  });

  test("ends with a token that ends a turn", () =>
    expect(shown(`<|im_start|>user\n${call}<|im_end|>\nIt is warm.`, "hermes")).toEqual([["text", "It is warm."]]));

  test("is in the dropped text, with its reason", () =>
    expect(createReplyParser({ protocol: "hermes", tools }).push("<|im_start|>user\nHi<|im_end|>")).toContainEqual({
      type: "dropped",
      text: "\nHi",
      reason: "a turn that the model made up",
    }));

  test("ends no turn of generateWithTools", async () => {
    const reply = `<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n${call}`;
    const messages: ChatMessage[] = [{ role: "user", content: "Is it warm in Oslo?" }];
    const model = async function* () {
      yield reply;
    };
    const turn = generateWithTools({ model, messages, tools, protocol: "hermes" });
    expect((await turn.result()).toolCalls).toMatchObject([{ name: "get_weather", arguments: { city: "Oslo" } }]);
  });
});

describe("what the model makes up after an answer or a call", () => {
  const turns: [ProtocolName, string][] = [
    ["hermes", "It is warm.\n<|im_start|>user\nAnd in Rome?"],
    ["hermes", `${call}<|user|>\nAnd in Rome?`],
    ["hermes", `${call}</s>\nHuman: And in Rome?`],
    ["hermes", `${call}\nuser\nAnd in Rome?`],
    ["mistral", "It is warm.[INST]And in Rome?"],
    ["harmony", "<|channel|>final<|message|>It is warm.<|end|><|start|>user<|message|>And in Rome?"],
  ];
  const results: [ProtocolName, string][] = [
    ["hermes", `${call}<tool_response>And in Rome?`],
    ["react", 'Action: get_weather\nAction Input: {"city": "Oslo"}\nObservation: And in Rome?'],
  ];

  test.each([
    ...turns.map((each) => [...each, "a turn that the model made up"]),
    ...results.map((each) => [...each, "a result that the model made up"]),
  ] as [ProtocolName, string, string][])("is dropped with its reason in %s: %s", (protocol, reply, reason) => {
    const parser = createReplyParser({ protocol, tools });
    const madeUp = [...parser.push(reply), ...parser.end()].filter(
      (event) => "text" in event && /Rome/.test(event.text),
    );
    expect(madeUp).toMatchObject([{ type: "dropped", reason }]);
  });

  test.each([...turns, ...results])("ends the reading of the reply, in %s: %s", async (protocol, reply) => {
    let read = 0;
    const model = async function* () {
      for (const piece of [reply, " Yes.", " No."]) {
        yield piece;
        read++;
      }
    };
    const messages: ChatMessage[] = [{ role: "user", content: "Is it warm in Oslo?" }];
    await generateWithTools({ model, messages, tools, protocol }).result();
    expect(read).toBeLessThan(2);
  });
});

test("the marker of a result with which the reply begins is dropped, and its end", () => {
  expect(shown('<tool_response>\n{"warm": true}\n</tool_response>\nIt is warm.', "hermes")).toEqual([
    ["text", '{"warm": true}'],
    ["text", "\nIt is warm."],
  ]);
  const mention = "<tool_response>\nThe tag </tool_response> ends it.";
  expect(shown(mention, "hermes")).toEqual([["text", "The tag </tool_response> ends it."]]);
});

describe.each(["user", "developer", "system"])("in harmony, a message of the %s", (role) => {
  const own = '<|channel|>commentary to=functions.get_weather<|message|>{"city": "Oslo"}<|call|>';
  const message = `<|start|>${role}<|message|>And in Rome?<|end|>`;

  test("is dropped with all that follows", () => {
    for (const after of [`<|start|>assistant${own}`, "<|start|>assistant<|channel|>final<|message|>It is warm."]) {
      expect(shown(`<|channel|>final<|message|>It is warm.<|end|>${message}${after}`, "harmony")).toEqual([
        ["text", "It is warm."],
      ]);
      expect(shown(own + message + after, "harmony")).toEqual([weather]);
    }
  });

  test("where the reply begins, is dropped alone", () =>
    expect(shown(`${message}<|start|>assistant${own}`, "harmony")).toEqual([weather]));
});

test("the end of a turn before a call is no text", () => {
  for (const end of ["</s>", "<|im_end|>\n", "\n<|eot_id|>", "<|im_end|><|endoftext|>"])
    expect(shown(`It is warm.${end}${call}`, "hermes")).toEqual([["text", "It is warm."], weather]);
  const sentence = `Write </s> and ${call}`;
  expect(shown(sentence, "hermes")).toEqual([["text", "Write </s> and"], weather]);
});

describe("a role that is alone on the rest of a line", () => {
  const json = '{"name": "get_weather", "parameters": {"city": "Oslo"}}';
  const written: [ProtocolName, string][] = [
    ["hermes", call],
    ["llama3-json", json],
    ["pythonic", '[get_weather(city="Oslo")]'],
  ];

  test.each(written)("directly after a call begins a turn, which is dropped: %s", (protocol, before) => {
    for (const role of ["assistant", "\nassistant", "\n\nuser"])
      for (const after of ["", "\n\nIt is warm.", `\n${before}`, "\r\nIt is warm."])
        expect(shown(before + role + after, protocol)).toEqual([weather]);
  });

  test("is in the dropped text", () =>
    expect(pieces(`${call}assistant\n\nIt is warm.`, "hermes").at(-1)).toEqual([
      "dropped",
      "assistant\n\nIt is warm.",
    ]));

  test.each(written)("is text in any other place: %s", (protocol, before) => {
    expect(shown("assistant\nIt is warm.", protocol)).toEqual([["text", "assistant\nIt is warm."]]);
    for (const text of ["assistant or not", "assistants\n\nIt is warm.", "It is warm.\nassistant\n"])
      expect(shown(`${before}\n${text}`, protocol)).toEqual([weather, ["text", text]]);
  });

  test("does not make a call of one that is quoted", () => {
    for (const reply of [`Like so: ${json}assistant\n`, `\`${json}\`assistant\n`, `> ${json}assistant\n`])
      for (const protocol of ["llama3-json", "hermes", "auto"] as const)
        expect(pieces(reply, protocol)).toEqual([["text", reply]]);
  });
});

test.each<[ProtocolName, string]>([
  ["mistral", "The template puts [INST] before each message of the user and [/INST] after it. So add it."],
  ["mistral", 'Example: "[INST] hi [/INST]" is a turn. Good.'],
  ["glm45", "In GLM the tag <|user|> begins a turn, and a model ends there."],
])("a sentence in %s may mention the beginning of a turn: %s", (protocol, reply) => {
  expect(pieces(reply, protocol)).toEqual([["text", reply]]);
});

test.each<[ProtocolName, string]>([
  ["mistral", "It is 7. [INST] what about Rome?"],
  ["mistral", "It is 7.</s>[INST] what about Rome?"],
  ["glm45", "It is 7.<|user|>\nand Rome?"],
])("after a sentence in %s it begins one: %s", (protocol, reply) => {
  expect(shown(reply, protocol)).toEqual([["text", "It is 7."]]);
});

test.each<[ProtocolName, string]>([
  ["deepseek-v31", "Hi.<｜Assistant｜>"],
  ["granite", "Ok.<|start_of_role|>assistant<|end_of_role|>"],
  ["phi4-mini", "Hi<|assistant|>"],
])("the header of the model's own turn in %s ends nothing", (protocol, before) => {
  const tools = [{ name: "get_weather", parameters: { type: "object" as const, properties: { city: {} } } }];
  const written = protocols[protocol].renderCalls([{ name: "get_weather", arguments: { city: "Oslo" } }], { tools });
  expect(pieces(before + written, protocol)).toContainEqual(weather);
});
