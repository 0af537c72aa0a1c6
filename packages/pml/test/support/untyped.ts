/** A function that takes anything, as it does from JavaScript. */
export const untyped =
  (run: (...given: never[]) => unknown) =>
  (...given: unknown[]): unknown =>
    Reflect.apply(run, undefined, given);
