import { jsonPointer } from "@toolingua/core/adapters";
import { ProviderFormatError } from "@toolingua/core/providers";
import { expect, test } from "vitest";
import { hintOf } from "./hint-of.js";

test.each(["plain", "a/b", "a~b", "~1", "~01/"])("a misspelt key is found below the key %j", (key) => {
  const error = new ProviderFormatError(jsonPointer("", "items", 0, key, "role"), "a text", undefined);
  expect(hintOf(error, { items: [{ [key]: { rol: "user" } }] })).toBe(' There is "rol": did you mean "role"?');
});

test("of the words that are expected the nearest is meant; a missing value in nothing has no hint", () => {
  expect(hintOf(new ProviderFormatError("/role", '"system" or "user"', "usr"), {})).toBe(' Did you mean "user"?');
  expect(hintOf(new ProviderFormatError("/a/role", "a text", undefined), {})).toBe("");
});
