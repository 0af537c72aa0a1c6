// The compared cells: ways of calling tools with the same model. Ours are named by their factors,
// protocol/style/constraint/retry/shots, with /wording and /selection if they are not the product's defaults; those of an
// endpoint's own tools by way/choice/shots; the rest by the peer.
import { peers } from "@toolingua/benchmark-peers";
import { protocols } from "@toolingua/core";
import { factorsIn, unnamed } from "./cell-name.mjs";
import { MULTI_TURN } from "./multi-turn/scenarios.mjs";
import { selections } from "./selections.mjs";
import { shotSets } from "./shots.mjs";
import { choices, choicesOf, ways } from "./ways.mjs";
import { wordings } from "./wordings.mjs";

export const factors = {
  protocol: Object.keys(protocols),
  /** How tools are shown. */
  style: ["native", "json", "signature", "compact"],
  /**
   * A call is required, and its beginning prefilled (`prefill`) or constrained by a grammar: to calls, to one call, or to
   * calls with all keys in schema order. Or the model may answer, and is constrained to text and calls (`lazy`).
   */
  constraint: ["off", "lazy", "prefill", "grammar", "grammar-one", "grammar-in-order"],
  /** Whether the model is shown its errors and asked once more. */
  retry: ["no-retry", "retry"],
  /** Which worked examples come first. */
  shots: Object.keys(shotSets),
  /** Additional instructions, and their place. */
  wording: Object.keys(wordings),
  /** Which of many tools are shown. */
  selection: Object.keys(selections),
};

/** The best of ours with each embedded model, one without its grammar, and a way of each other package: ten minutes. */
export const defaultCells = [
  "hermes/compact/grammar/no-retry/numbers-2",
  "llama3-json/compact/grammar/no-retry/1",
  "hermes/compact/off/no-retry/1",
  "ai-sdk-tool hermes",
  "LangChain structured chat",
  "LlamaIndex ReAct",
];

/** The packages that call tools by prompt, and what the model's engine or endpoint has itself. */
export const baselines = [
  ...peers.map(({ name }) => name),
  ...[
    "json-schema/required/0",
    "json-schema/required/1",
    "native/auto/0",
    "native/required/0",
    "node-llama-cpp/auto/0",
  ],
];

/** The cell with a name. Throws an error that names the unknown part. */
export function cellOf(name) {
  const peer = peers.find((one) => one.name === name);
  if (peer) return { name, peer };
  const parts = name.split("/");
  if (ways.includes(parts[0])) return wayOf(name, parts);
  const chosen = factorsIn(name);
  if (!chosen)
    throw new Error(`No cell "${name}": give ${Object.keys(factors).join("/")}, or ${baselines.join(", ")}.`);
  for (const [key, value] of Object.entries(chosen)) {
    if (!factors[key].includes(value))
      throw new Error(`No ${key} "${value}" in "${name}": there are ${factors[key].join(", ")}.`);
  }
  return { name, ...chosen };
}

function wayOf(name, [way, choice, shots]) {
  if (!choices.includes(choice) || !(shots in shotSets) || name.split("/").length !== 3)
    throw new Error(
      `No cell "${name}": give ${way}/${choicesOf[way].join("|")}/SHOTS, of which there are ${Object.keys(shotSets).join(", ")}.`,
    );
  if (!choicesOf[way].includes(choice))
    throw new Error(`No cell "${name}": ${way} cannot do that. There is ${way}/${choicesOf[way].join("|")}/${shots}.`);
  return { name, way, choice, shots };
}

/** All combinations: `{ protocol: ["xml"], style: ["json", "compact"], … }`. */
export const cross = (values) =>
  Object.keys(factors)
    .reduce(
      (names, key) =>
        names.flatMap((name) => values[key].map((value) => (value === unnamed[key] ? name : [...name, value]))),
      [[]],
    )
    .map((parts) => parts.join("/"));

/** Whether the model is made to call something. */
export const demandsCall = ({ constraint, choice }) =>
  ["required", "one"].includes(choice) || (constraint !== undefined && !["off", "lazy"].includes(constraint));

/** Whether a model supports a cell; each model lists its capabilities. */
export function isPossible({ way, constraint }, can) {
  const needs = way ?? (constraint?.startsWith("grammar") ? "grammar" : constraint);
  return needs === undefined || needs === "off" || can[needs] === true;
}

/** The cells that the model supports. Throws if there are none, because such a run would ask nothing. */
export function askable(cells, { name, can }) {
  const possible = cells.filter((cell) => isPossible(cell, can));
  if (possible.length > 0) return possible;
  throw new Error(
    `${name} can be asked in none of these ways: ${cells.map((cell) => cell.name).join(", ")}. It can: off, ${Object.keys(
      can,
    )
      .filter((way) => can[way])
      .join(", ")}.`,
  );
}

/**
 * Whether a question makes sense in a cell: with a required call, a question without a right call does not; and some
 * peers cannot hold a conversation.
 */
export const isFor = (cell, { category }) =>
  category === MULTI_TURN
    ? cell.peer?.converses !== false && cell.way !== "node-llama-cpp"
    : !(category.includes("relevance") && demandsCall(cell));

/**
 * Each question with each cell that it makes sense in: question by question. Throws where the model can be asked in none
 * of the cells, and where no question makes sense in any, because such a run would ask nothing.
 */
export function pairsOf(model, cells, questions) {
  const possible = askable(cells, model);
  const pairs = questions.flatMap((question) =>
    possible.filter((cell) => isFor(cell, question)).map((cell) => ({ cell, question })),
  );
  if (pairs.length > 0) return pairs;
  if (questions.length === 0)
    throw new Error(`There are no questions for ${model.name}: look at --category, --half and --shard.`);
  const [ways, categories] = [possible.map(({ name }) => name), questions.map(({ category }) => category)];
  throw new Error(
    `${model.name} would be asked none of the questions: those of ${[...new Set(categories)].join(", ")} make no sense in ${ways.join(", ")}. ` +
      "Cells that demand a call are not asked questions without one; try the constraint off or lazy.",
  );
}
