// The README's tables, from results.json.
import { mean } from "../../evals/accuracy/statistics.mjs";
import { table } from "../timing/markdown.mjs";

const percent = (part) => `${(part * 100).toFixed(1)} %`;
const signed = (ratio) => `${ratio >= 1 ? "+" : "−"}${Math.abs((ratio - 1) * 100).toFixed(0)} %`;

/** The README's tables and headings. */
export function tables({ rows, tokenizers }) {
  const matching = (wanted) => rows.filter((row) => Object.entries(wanted).every(([key, value]) => row[key] === value));
  /** Mean tokens of the rows that fit, by tokenizer. */
  const byTokenizer = (wanted) => {
    const found = matching(wanted);
    return tokenizers.map((_, i) => mean(found.map((row) => row.tokens[i])));
  };
  const average = (wanted) => mean(byTokenizer(wanted));
  const names = (kind) => [...new Set(rows.filter((row) => row.kind === kind).map(({ what }) => what))];
  const sizes = [...new Set(rows.filter(({ kind }) => kind === "list").map((row) => row.tools))];
  const openAi = "OpenAI JSON";
  const protocols = names("result").filter((what) => !what.endsWith("JSON"));
  const title = (what) => (protocols.includes(what) ? `\`${what}\`` : what);

  const lists = (tools) => {
    const base = byTokenizer({ kind: "list", what: openAi, tools });
    const row = (what) => {
      const counts = byTokenizer({ kind: "list", what, tools });
      return [what, ...counts.map((count, i) => `${Math.round(count)} (${percent(count / base[i])})`)];
    };
    return table(["", ...tokenizers], names("list").map(row));
  };

  const prompts = () => {
    const counts = (wanted) => sizes.map((tools) => Math.round(average({ tools, ...wanted })));
    const none = sizes.map(() => "");
    const peers = names("prompt").filter((what) => !protocols.includes(what));
    return table(
      ["", ...sizes.map((size) => `${size} tools`), ...sizes.map((size) => `${size}, compact`)],
      [
        [`${openAi}, the tools alone`, ...counts({ kind: "list", what: openAi, group: 0 }), ...none],
        ...peers.map((what) => [what, ...counts({ kind: "prompt", what }), ...none]),
        ...protocols.map((what) => [
          title(what),
          ...counts({ kind: "prompt", what, style: "native" }),
          ...counts({ kind: "prompt", what, style: "compact" }),
        ]),
      ],
    );
  };

  const calls = () => {
    const samples = [...new Set(rows.filter(({ kind }) => kind === "call").map(({ sample }) => sample))];
    const counts = (what) => samples.map((sample) => average({ kind: "call", what, sample }));
    const bare = counts("bare JSON");
    const rest = (wanted) => (matching(wanted).length > 0 ? Math.round(average(wanted)) : "");
    const row = (what) => {
      const own = counts(what);
      const ratio = signed(mean(own.map((count, i) => count / bare[i])));
      const history = rest({ kind: "history", what, tools: 10 });
      return [title(what), ...own.map(Math.round), ratio, rest({ kind: "result", what }), history];
    };
    return table(["one call", ...samples, "to bare JSON", "a result", "conversation"], names("call").map(row));
  };

  const transcripts = (attachments) => {
    const base = byTokenizer({ kind: "transcript", what: "plain prompt", attachments });
    const row = (what) => {
      const counts = byTokenizer({ kind: "transcript", what, attachments });
      return [what, ...counts.map((count, i) => `${Math.round(count)} (${percent(count / base[i])})`)];
    };
    return table(["", ...tokenizers], names("transcript").map(row));
  };

  return [
    ...sizes.flatMap((size) => [`### ${size} tools`, lists(size)]),
    "### The whole prompt: the tools, and how to call them",
    "Tokens, the mean of the tokenizers. First in the protocol's own style, then in the style `compact`.",
    prompts(),
    "### Calls, a result, a conversation",
    "Tokens, the mean of the tokenizers. The conversation has three calls and results, and ten tools.",
    calls(),
    "### History as a document",
    "Six turns, three of them with a call; part of the tokens of a plain prompt (`User: …`).",
    transcripts(false),
    "The same with five files of code in the first message.",
    transcripts(true),
  ];
}
