import { expect, test } from "vitest";
import { lazyPatterns } from "../scripts/lib/lazy-patterns.mjs";

/** What a module exports, before and after. */
async function both(code: string): Promise<{ changed: string; exports: Record<string, unknown>[] }> {
  const changed = lazyPatterns(code);
  const modules = [code, changed].map((text) => import(`data:text/javascript,${encodeURIComponent(text)}`));
  return { changed, exports: await Promise.all(modules) };
}

test.each([
  ["a constant", String.raw`const A = /^\p{L}+$/u; export const read = (text) => [A.test(text), A.exec(text)?.index];`],
  [
    "a constant with a state",
    String.raw`const A = /\p{L}/gu; export const read = (text) => [A.test(text), A.lastIndex, text.replace(A, "x")];`,
  ],
  [
    "constants that are parts of others",
    "const A = /\\p{N}/u, B = new RegExp(A.source + '\\\\p{L}', 'u'); export const read = (text) => ({ A: B.test(text) });",
  ],
  ["a pattern within a function", String.raw`export const read = (text) => [...text].map((a) => /\p{Lu}/iu.test(a));`],
  [
    "a constant after a hashbang",
    "#!/usr/bin/env node\nconst A = /\\p{L}/u; export const read = (text) => A.test(text);",
  ],
  [
    "a constant that is given to another function",
    String.raw`const A = /\p{L}/u; export const read = (text) => text.split(A).map((one) => ({ A: one, has: [A].length }));`,
  ],
])("%s reads the same, and is compiled later", async (_, code) => {
  const { changed, exports } = await both(code);
  expect(changed).not.toBe(code);
  expect(changed).not.toMatch(/= \/|\(\//);
  for (const text of ["ab", "5a", "É!", ""]) {
    const [before, after] = exports.map(({ read }) => [1, 2].map(() => (read as (text: string) => unknown)(text)));
    expect(after).toEqual(before);
  }
});

test.each([
  ["taken apart", String.raw`const { source } = /\p{L}/u; export { source };`],
  ["a part of what `new` takes", String.raw`const A = /\p{L}/u; export const read = () => new A.constructor("x");`],
  ["exported", String.raw`const A = /\p{L}/u; export { A };`],
  ["assigned", String.raw`let A = /\p{L}/u; A = /x/; export const read = (text) => A.test(text);`],
  ["hidden by a parameter", String.raw`const A = /\p{L}/u; export const read = (A) => A; read(A);`],
  [
    "hidden by a variable",
    String.raw`const A = /\p{L}/u; export function read() { const { A } = {}; return A; } A.test("");`,
  ],
  ["with a state, within a function", String.raw`export const read = (text) => text.replace(/\p{L}/gu, "");`],
  ["without a property", "const A = /[a-z]/; export const read = (text) => A.test(text);"],
])("a pattern that is %s stays as it is", (_, code) => {
  expect(lazyPatterns(code)).toBe(code);
});
