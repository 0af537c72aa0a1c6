/**
 * What must not stand in a text: signs one after the other, each one of `chars`. `many`: any number of them, also none.
 * `name: false`: the next sign is none that a name can hold, or the text ends.
 */
export type Forbidden = readonly ({ chars: string; many?: true } | { name: false })[];

/** A word, letter for letter. */
export const word = (text: string): Forbidden => [...text].map((chars) => ({ chars }));

/** Signs without which nothing forbidden can stand: of each its first sign that is no space. */
export function keptOut(forbidden: readonly Forbidden[]): string {
  const signs = forbidden.map((steps) => {
    const step = steps.find((one) => "chars" in one && one.chars.trim() !== "") ?? steps[0];
    return step && "chars" in step ? step.chars : "";
  });
  return [...new Set(signs.join(""))].join("");
}

/** Signs of ASCII that a name can hold. */
export const NAME_SIGNS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-"];
