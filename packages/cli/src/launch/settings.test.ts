import fc from "fast-check";
import { expect, test } from "vitest";
import { type Change, change, SettingsShapeError, takeBack } from "./settings.js";

const key = fc.constantFrom("a", "b", "c");
const path = fc.array(key, { minLength: 1, maxLength: 3 });
const settings = fc.letrec<{ object: Record<string, unknown> }>((tie) => ({
  object: fc.dictionary(
    key,
    fc.oneof(fc.constant(null), fc.integer(), fc.array(fc.integer(), { maxLength: 2 }), tie("object")),
  ),
})).object;
const changes = fc.array<Change>(
  fc.oneof(fc.record({ path, value: fc.integer() }), fc.record({ path, add: fc.integer() })),
);

/** Settings with changes; `undefined` if they have another shape. */
function changed(given: Record<string, unknown>, wanted: readonly Change[]) {
  try {
    return change(given, wanted);
  } catch (error) {
    if (error instanceof SettingsShapeError) return undefined;
    throw error;
  }
}

test("changes that are undone leave the settings as they were, and what was added meanwhile", () => {
  fc.assert(
    fc.property(settings, changes, fc.integer(), (given, wanted, own) => {
      const found = changed(given, wanted);
      fc.pre(found !== undefined);
      // The journal is a JSON file.
      const made = JSON.parse(JSON.stringify(found?.made));
      expect(takeBack({ ...found?.settings, own }, made)).toEqual({ ...given, own });
    }),
  );
});

test("an object that a change created stays if something else is in it now", () => {
  const { made } = change({ env: {} }, [
    { path: ["env", "A"], value: "1" },
    { path: ["more", "list"], add: 1 },
  ]);
  expect(takeBack({ env: { A: "1" }, more: { list: [1, 2] } }, made)).toEqual({ env: {}, more: { list: [2] } });
  expect(takeBack({ env: { A: "2" }, more: { list: [1] } }, made)).toEqual({ env: { A: "2" } });
});
