import { expect, it } from "vitest";
import { whyUnreachable } from "../adapters/index.js";

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });
const circle = new Error("outer");
circle.cause = new Error("inner", { cause: circle });

it.each([
  ["the cause of a failed fetch", new TypeError("fetch failed", { cause: new Error("bad port") }), "", "bad port"],
  [
    "the first of several addresses",
    new TypeError("fetch failed", {
      cause: Object.assign(new AggregateError([withCode("connect ECONNREFUSED ::1:1", "ECONNREFUSED")], ""), {
        code: "ECONNREFUSED",
      }),
    }),
    "ECONNREFUSED",
    "connect ECONNREFUSED ::1:1",
  ],
  ["its code if there are no words", withCode("", "ECONNRESET"), "ECONNRESET", "ECONNRESET"],
  ["the message around a cause without words", new Error("fetch failed", { cause: new Error("") }), "", "fetch failed"],
  ["what is no error", "refused", "", "refused"],
  ["the code of an object without words", { code: "ECONNREFUSED" }, "ECONNREFUSED", "ECONNREFUSED"],
  ["the name of an error without words", new TypeError(""), "", "TypeError"],
  ["not known of an object without words", Object.create(null), "", "no reason given"],
  ["not known of nothing", undefined, "", "no reason given"],
])("the reason of a failed fetch is %s", (_, error, code, words) => {
  expect(whyUnreachable(error)).toEqual({ code, words });
});

it("may be the callback of a list", () => {
  const errors = Array.from({ length: 7 }, (_, i) => new Error("fetch failed", { cause: new Error(`reason ${i}`) }));
  expect(errors.map(whyUnreachable).map(({ words }) => words)).toEqual(errors.map((_, i) => `reason ${i}`));
});

it("an error that is its own cause has a reason", () => {
  expect(whyUnreachable(circle).words).toMatch(/^(?:outer|inner)$/);
});
