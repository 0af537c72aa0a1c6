/** The result of a model in evals/accuracy: calls right where one is required, in questions of half b. */
interface MeasuredScore {
  right: number;
  questions: number;
  /** protocol/style/constraint/retry/examples. */
  way: string;
  date: string;
}

/**
 * The scores by model name. A test compares them with the committed results.
 *
 * @example scores["smollm2-135m"]?.right;
 */
export const scores: Readonly<Record<string, MeasuredScore>> = {
  "gemma3-270m": { right: 28, questions: 120, way: "hermes/compact/grammar/no-retry/1", date: "2026-11-24" },
  "smollm2-135m": { right: 62, questions: 174, way: "hermes/compact/grammar/no-retry/1", date: "2026-11-24" },
};
