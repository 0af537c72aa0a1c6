// Cells in words, for readers who do not know how they are named.
import { factorsIn, unnamed } from "./cell-name.mjs";

const CONSTRAINTS = {
  off: "free",
  lazy: "constrained to text or calls",
  prefill: "its call begun",
  grammar: "constrained by a grammar",
  "grammar-one": "constrained by a grammar to one call",
  "grammar-in-order": "constrained by a grammar, keys in order",
};
const WAYS = {
  "json-schema": "response_format",
  native: "the server's tools",
  "node-llama-cpp": "node-llama-cpp's functions",
};
const CHOICES = { auto: "free to answer", required: "a call demanded", one: "one call demanded" };

const SELECTIONS = {
  "selected-by-model": ["tools selected by the model"],
  "selected-by-words": ["tools selected by words"],
};

const KINDS = {
  "mixed-2": " (a call, an answer)",
  "mixed-4": " (a call, two answers, a call)",
  "answer-first-2": " (an answer, a call)",
  "numbers-1": " of numbers",
  "numbers-2": " of numbers",
};

function examples(set) {
  const [count] = /\d+$/.exec(set) ?? [set];
  const what = `${count === "0" ? "no" : count} example${count === "1" ? "" : "s"}`;
  return `${what}${KINDS[set] ?? ""}`;
}

/**
 * The words for a cell: "hermes, tools compact, constrained by a grammar, 1 example". The names of packages stay unchanged.
 *
 * @example labelOf("json-schema/required/1"); // "response_format, a call demanded, 1 example"
 */
export function labelOf(name) {
  const parts = name.split("/");
  if (parts.length === 1) return name;
  if (parts.length === 3) {
    const [way, choice, shots] = parts;
    return [WAYS[way] ?? way, CHOICES[choice] ?? choice, examples(shots)].join(", ");
  }
  const { protocol, style, constraint, retry, shots, wording, selection } = factorsIn(name);
  const constrained = CONSTRAINTS[constraint] ?? constraint;
  const more = [
    ...(retry === "retry" ? ["asked again once"] : []),
    ...(wording === unnamed.wording ? [] : [`wording ${wording}`]),
    ...(SELECTIONS[selection] ?? []),
  ];
  return [protocol, `tools ${style}`, constrained, examples(shots), ...more].join(", ");
}
