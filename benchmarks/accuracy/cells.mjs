// What is compared: ways of calling tools with the same model. Ours are named by their factors,
// protocol/style/constraint/repair/shots, and /wording where it is another than the product's; those that an endpoint has
// itself by way/choice/shots; the rest by the peer.
import { peers } from "@toolingua/benchmark-peers";
import { protocols } from "@toolingua/core";
import { MULTI_TURN } from "./multi-turn/scenarios.mjs";
import { shotSets } from "./shots.mjs";
import { choices, ways } from "./ways.mjs";
import { wordings } from "./wordings.mjs";

export const factors = {
  protocol: Object.keys(protocols),
  /** How tools are shown. */
  style: ["native", "json", "signature", "compact"],
  /**
   * A call is demanded, and begun for the model (`prefill`) or held to a grammar, all keys in the schema's order or not. Or
   * the model is free to answer, and held as soon as it begins a call (`lazy`).
   */
  constraint: ["off", "lazy", "prefill", "grammar", "grammar-in-order"],
  /** Whether the model is told what was wrong, and asked again once. */
  repair: ["no-repair", "repair"],
  /** Which worked examples come first. */
  shots: Object.keys(shotSets),
  /** What is said besides, and where. */
  wording: Object.keys(wordings),
};

/** A wording that is the product's own is not part of a name. */
const PLAIN = "plain";

/** The best of ours with each embedded model, one without its grammar, and a way of each other package: ten minutes. */
export const defaultCells = [
  "hermes/compact/grammar/no-repair/numbers-2",
  "llama3-json/compact/grammar/no-repair/1",
  "hermes/compact/off/no-repair/1",
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

/** The cell of that name. Throws an error that says which part of the name is unknown. */
export function cellOf(name) {
  const peer = peers.find((one) => one.name === name);
  if (peer) return { name, peer };
  const parts = name.split("/");
  if (ways.includes(parts[0])) return wayOf(name, parts);
  const keys = Object.keys(factors);
  if (parts.length === keys.length - 1) parts.push(PLAIN);
  if (parts.length !== keys.length)
    throw new Error(`No cell "${name}": give ${keys.join("/")}, or ${baselines.join(", ")}.`);
  const chosen = Object.fromEntries(keys.map((key, i) => [key, parts[i]]));
  for (const [key, value] of Object.entries(chosen)) {
    if (!factors[key].includes(value))
      throw new Error(`No ${key} "${value}" in "${name}": there are ${factors[key].join(", ")}.`);
  }
  return { name, ...chosen };
}

function wayOf(name, [way, choice, shots]) {
  if (!choices.includes(choice) || !(shots in shotSets) || name.split("/").length !== 3)
    throw new Error(
      `No cell "${name}": give ${way}/${choices.join("|")}/SHOTS, of which there are ${Object.keys(shotSets).join(", ")}.`,
    );
  if (way === "node-llama-cpp" && choice === "required")
    throw new Error(`No cell "${name}": node-llama-cpp cannot demand a call. There is ${way}/auto/${shots}.`);
  return { name, way, choice, shots };
}

/** All combinations: `{ protocol: ["xml"], style: ["json", "compact"], … }`. */
export const cross = (values) =>
  Object.keys(factors)
    .reduce((names, key) => names.flatMap((name) => values[key].map((value) => [...name, value])), [[]])
    .map((parts) => parts.join("/").replace(new RegExp(`/${PLAIN}$`), ""));

/** Whether the model is made to call something. */
export const demandsCall = ({ constraint, choice }) =>
  choice === "required" || (constraint !== undefined && !["off", "lazy"].includes(constraint));

/** Whether a model can be asked that way: one that says what it can. */
export function isPossible({ way, constraint }, can) {
  const needs = way ?? (constraint === "grammar-in-order" ? "grammar" : constraint);
  return needs === undefined || needs === "off" || can[needs] === true;
}

/** Of these cells those that the model can be asked in. Throws where there is none: such a run would ask nothing. */
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
 * Whether a question makes sense in a cell: where a call is demanded, none is wrong by design; and not every peer can hold
 * a conversation.
 */
export const isFor = (cell, { category }) =>
  category === MULTI_TURN
    ? cell.peer?.converses !== false && cell.way === undefined
    : !(category.includes("relevance") && demandsCall(cell));
