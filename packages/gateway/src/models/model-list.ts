import { didYouMean } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";
import type { ServedModel } from "./served-model.js";

/** The name of a model for clients that show only Anthropic's models. */
export const claudeAlias = (name: string): string => (/^(claude|anthropic)/.test(name) ? name : `claude-${name}`);

/** The served models, by each of their names. */
export class ModelList {
  readonly #byName = new Map<string, ServedModel>();
  readonly #patterns: { pieces: string[]; model: ServedModel }[] = [];

  constructor(readonly models: readonly ServedModel[]) {
    for (const model of models) this.#byName.set(claudeAlias(model.name), model);
    for (const model of models)
      for (const name of [model.name, ...model.aliases]) {
        if (name.includes("*")) this.#patterns.push({ pieces: name.split("*"), model });
        else this.#byName.set(name, model);
      }
  }

  /** Errors: {@link Failure} `not-found`. */
  get(name: string): ServedModel {
    const found = this.#byName.get(name) ?? this.#patterns.find(({ pieces }) => matches(pieces, name))?.model;
    if (found) return found;
    const names = this.models.map((model) => model.name);
    throw new Failure("not-found", `There is no model "${name.slice(0, 100)}". ${didYouMean(name, names)}`, {
      code: "model_not_found",
      param: "model",
    });
  }
}

/**
 * Whether a name consists of these pieces in order, with any characters between them. Takes time linear in the name,
 * which a client writes.
 */
function matches([first = "", ...pieces]: readonly string[], name: string): boolean {
  const last = pieces.pop() ?? "";
  let at = first.length;
  if (!name.startsWith(first)) return false;
  for (const piece of pieces) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}
