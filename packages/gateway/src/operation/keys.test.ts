import { expect, test } from "vitest";
import { Keys } from "./keys.js";

test.each([
  { authorization: "Bearer sk-me" },
  { authorization: "bearer sk-me" },
  { authorization: "BEARER  sk-me" },
  { "x-api-key": "sk-me" },
])("a key is found in %j", (headers: Record<string, string>) => {
  const keys = new Keys([{ name: "me", key: "sk-me" }]);
  expect(keys.holderOf(new Headers(headers))).toMatchObject({ name: "me" });
});
