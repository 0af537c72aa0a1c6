import { expect, test } from "vitest";
import { allPages } from "./pages.js";

test("a server that returns the same cursor again has no further page", async () => {
  const asked: unknown[] = [];
  const pages = await allPages(async (params) => {
    asked.push(params);
    return { items: [asked.length], nextCursor: "same" };
  }, 60_000);
  expect(pages).toEqual({ items: [1, 2], isCut: true });
  expect(asked).toEqual([{}, { cursor: "same" }]);
});
