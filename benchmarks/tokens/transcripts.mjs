// One conversation in an editor, with and without its five files, in the ways in which it can be shown to a model.
import { renderPrompt } from "@toolingua/core";
import { stringifyPml, toConversation, toProvider } from "@toolingua/pml";
import { tools } from "./tools.mjs";

const code = (name, count) =>
  Array.from(
    { length: count },
    (_, i) =>
      `/** Part ${i} of ${name}. */\nexport function ${name}${i}(width: number, height: number): boolean {\n  if (width < 0 || height < 0) throw new RangeError("sides & areas");\n  return width * height > ${i};\n}\n`,
  ).join("\n");
const files = ["area", "volume", "shape", "index", "render"].map((name, i) => ({
  ...{ type: "attachment", kind: "file", path: `src/${name}.ts` },
  content: code(name, i + 2),
}));

const text = (said) => ({ type: "text", text: said });
const turn = (index, question, { call, output, answer, attachments = [] }) => ({
  index,
  messages: [
    { type: "user", parts: [...attachments, text(question)] },
    ...(call
      ? [
          { type: "assistant", parts: [{ type: "call", id: `c${index}`, ...call }] },
          { type: "tool_output", call: `c${index}`, text: output },
        ]
      : []),
    { type: "assistant", parts: [text(answer)] },
  ],
});

/** Six turns, three of them with a call. */
const document = (attachments, short = false) => ({
  version: "1",
  conversation: {
    turns: [
      turn(1, "Which of these functions throws, and when?", {
        attachments,
        answer: "All of them throw a RangeError when a side is negative.",
      }),
      turn(2, "What is the weather in Reykjavík for three days?", {
        call: short
          ? { name: "GW", arguments: { city: "Reykjavík", day: "3" } }
          : { name: "get_weather", arguments: { city: "Reykjavík", days: "3" } },
        output: "4 °C, rain; 2 °C, rain; 5 °C, dry",
        answer: "Rain for two days at 2 to 4 °C, then dry with 5 °C.",
      }),
      turn(3, "Then write to Ann: we meet on the third day at 10, if it stays dry.", {
        call: short
          ? {
              name: "SE",
              arguments: { to: "ann@example.com", sub: "Third day", body: "Let us meet at 10, if it stays dry." },
            }
          : {
              name: "send_email",
              arguments: { to: "ann@example.com", subject: "Third day", body: "Let us meet at 10, if it stays dry." },
            },
        output: "Sent to 1 recipient.",
        answer: "I wrote to Ann.",
      }),
      turn(4, "Thanks. What did she say last week about the budget?", {
        call: short
          ? { name: "SF", arguments: { que: "Ann budget" } }
          : { name: "search_files", arguments: { query: "Ann budget" } },
        output: "notes/2026-02-12.md: Ann wants to keep the budget below 4,000 € a month & review it in May.",
        answer: "She wants to keep it below 4,000 € a month, and to review it in May.",
      }),
      turn(5, "Is 12 × 310 below that?", { answer: "12 × 310 is 3,720, so yes." }),
      turn(6, "Good. Please sum all of this up in one sentence.", { answer: "" }),
    ],
  },
});

const plain = ({ conversation }, speaker, file) =>
  conversation.turns
    .flatMap(({ messages }) =>
      messages.map((message) => {
        if (message.type === "tool_output") return `${speaker("tool")}${message.text}`;
        const parts = message.parts.map((part) =>
          part.type === "text"
            ? part.text
            : part.type === "call"
              ? JSON.stringify({ name: part.name, arguments: part.arguments })
              : file(part),
        );
        return speaker(message.type) + parts.join("\n");
      }),
    )
    .join("\n\n");

const names = { user: "User", assistant: "Assistant", tool: "Result" };
const fenced = ({ path, content }) => `${path}:\n\`\`\`ts\n${content}\`\`\``;

/** What "short tags" would be: a letter for each element, of the same document. */
const LETTERS = {
  ...{ conversation: "c", turn: "t", user: "u", assistant: "a", text: "x", attachment: "f", content: "d" },
  tool_output: "o",
};
const shortTags = (xml) =>
  xml.replace(/(<\/?)(\w+)/g, (tag, open, name) => (LETTERS[name] ? open + LETTERS[name] : tag));

const chatMl = (given) => {
  const { messages } = renderPrompt({
    messages: toConversation(given).value.messages,
    tools,
    toolChoice: "none",
    protocol: "hermes",
  });
  return messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join("");
};

const ways = {
  "plain prompt": (given) => plain(given, (who) => `${names[who]}: `, fenced),
  Markdown: (given) => plain(given, (who) => `## ${names[who]}\n\n`, fenced),
  "chat messages, in ChatML with `hermes`": chatMl,
  "OpenAI JSON": (given) => JSON.stringify(toProvider(given, "openai").value.messages),
  PML: (given) => stringifyPml(given, { indent: 0 }),
  "PML, indented by 2": (given) => stringifyPml(given),
};

/** Rows of `{ what, attachments, text }`. */
export function transcripts() {
  return [false, true].flatMap((attachments) => {
    const shown = attachments ? files : [];
    const aliases = stringifyPml(document(shown, true), { indent: 0 });
    return [
      ...Object.entries(ways).map(([what, write]) => ({ what, attachments, text: write(document(shown)) })),
      { what: "PML, calls by aliases", attachments, text: aliases },
      { what: "PML, calls by aliases, tags of one letter", attachments, text: shortTags(aliases) },
    ];
  });
}
