// What is compared: ways of calling tools with the same model. Ours are named by their factors,
// protocol/style/constraint/repair/shots, the rest by the peer.
import { peers } from "@toolingua/benchmark-peers";
import { protocols } from "@toolingua/core";
import { MULTI_TURN } from "./multi-turn/scenarios.mjs";

export const factors = {
  protocol: Object.keys(protocols),
  /** How tools are shown. */
  style: ["native", "json", "signature", "compact"],
  /** `prefill` and `grammar`: a call is demanded, and begun for the model or held to a grammar. */
  constraint: ["off", "prefill", "grammar"],
  /** Whether the model is told what was wrong, and asked again once. */
  repair: ["no-repair", "repair"],
  /** How many worked examples come first. */
  shots: ["0", "1", "3"],
};

/** Asks with the tools of the endpoint's own interface. */
export const NATIVE = "native";

/** A few ways of ours and every peer: what fits a quarter of an hour. */
export const defaultCells = [
  "hermes/native/off/no-repair/0",
  "hermes/native/grammar/no-repair/3",
  "xml/compact/off/no-repair/3",
  "hermes/compact/grammar/no-repair/3",
  "tool-tags/compact/grammar/no-repair/3",
  "ai-sdk-tool hermes",
  "ai-sdk-tool morph-xml",
  "LangChain structured chat",
];

export const baselines = peers.map(({ name }) => name);

/** The cell of that name. Throws an error that says which part of the name is unknown. */
export function cellOf(name) {
  if (name === NATIVE) return { name, native: true };
  const peer = peers.find((one) => one.name === name);
  if (peer) return { name, peer };
  const parts = name.split("/");
  const keys = Object.keys(factors);
  if (parts.length !== keys.length)
    throw new Error(`No cell "${name}": give ${keys.join("/")}, or ${baselines.join(", ")}.`);
  const chosen = Object.fromEntries(keys.map((key, i) => [key, parts[i]]));
  for (const [key, value] of Object.entries(chosen)) {
    if (!factors[key].includes(value))
      throw new Error(`No ${key} "${value}" in "${name}": there are ${factors[key].join(", ")}.`);
  }
  return { name, ...chosen, shots: Number(chosen.shots) };
}

/** All combinations: `{ protocol: ["xml"], style: ["json", "compact"], … }`. */
export const cross = (values) =>
  Object.keys(factors)
    .reduce((names, key) => names.flatMap((name) => values[key].map((value) => [...name, value])), [[]])
    .map((parts) => parts.join("/"));

/** Whether the model is made to call something. */
export const demandsCall = ({ constraint = "off" }) => constraint !== "off";

/**
 * Whether a question makes sense in a cell: where a call is demanded, none is wrong by design; and not every peer can hold
 * a conversation.
 */
export const isFor = (cell, { category }) =>
  category === MULTI_TURN ? cell.peer?.converses !== false : !(category.includes("relevance") && demandsCall(cell));
