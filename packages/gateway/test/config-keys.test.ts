import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createGateway } from "../src/index.js";

const models = [{ name: "m", upstream: { baseURL: "http://127.0.0.1:1/v1" } }];
const hash = createHash("sha256").update("sk-1").digest("hex");
const a = { name: "a", key: "sk-1" };

it.each([
  [{ keys: [a, { name: "b", key: "sk-1" }] }, /server\.keys\[1\]\.key: is the key of server\.keys\[0\] too/],
  [
    { keys: [a, { name: "b", hash: hash.toUpperCase() }] },
    /server\.keys\[1\]\.hash: is the key of server\.keys\[0\] too/,
  ],
  [{ keys: [] }, /server\.keys: is empty/],
  [{ keys: [{ name: "a", key: "sk-1\n" }] }, /server\.keys\[0\]\.key: must be the key itself: printable ASCII/],
  [{ keys: [{ name: "a", key: "sk-1ü" }] }, /server\.keys\[0\]\.key: must be the key itself: printable ASCII/],
  [{ limits: { keepAlive: 3_000_000 } }, /server\.limits\.keepAlive: .*at most 2147483/],
])("a configuration that would not have its stated effect is refused: %j", (server, words) => {
  expect(() => createGateway({ models, server })).toThrow(words);
  expect(() => createGateway({ models, server })).not.toThrow(/sk-1/);
});
