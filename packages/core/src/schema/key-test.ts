import { matcherFor, TooCostly, whyUnmatchable } from "./pattern/pattern.js";

/** Whether a key matches; false if that cannot be determined, which the validator reports. */
export type KeyTest = (key: string) => boolean;

/** The test of a key by the pattern of `patternProperties`; undefined: the pattern cannot be matched. */
export function keyTest(source: string): KeyTest | undefined {
  if (whyUnmatchable(source) !== undefined) return undefined;
  return (key) => {
    try {
      return matcherFor(source)(key);
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error;
      return false;
    }
  };
}
