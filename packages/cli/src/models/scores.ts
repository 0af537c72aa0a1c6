/**
 * The result of a model in evals/accuracy: its best configuration, measured on questions that did not select it.
 */
export interface MeasuredScore {
  right: number;
  questions: number;
  /** protocol/style/constraint/repair/examples. */
  way: string;
  date: string;
}

/**
 * The scores by model name. A test compares them with the committed results.
 *
 * @example scores["smollm2-135m"]?.right;
 */
export const scores: Readonly<Record<string, MeasuredScore>> = {
  "gemma3-270m": { right: 15, questions: 62, way: "llama3-json/compact/grammar/no-repair/1", date: "2026-11-22" },
  "smollm2-135m": { right: 16, questions: 55, way: "hermes/compact/grammar/no-repair/numbers-2", date: "2026-11-22" },
};
