import { describe, expect, it } from "vitest";
import { isRight } from "./score.mjs";

// Our own cases; check-score.mjs holds the rule against the leaderboard's own checker.
const functions = [
  {
    name: "book",
    parameters: {
      type: "dict",
      properties: {
        city: { type: "string" },
        nights: { type: "integer" },
        price: { type: "float" },
        rooms: { type: "array", items: { type: "string" } },
        guest: { type: "dict" },
        beds: { type: "array", items: { type: "dict" } },
        late: { type: "boolean" },
      },
      required: ["city"],
    },
  },
  { name: "cancel", parameters: { type: "dict", properties: { id: { type: "integer" } }, required: ["id"] } },
];
type Arguments = Record<string, unknown>;
const book = (args: Arguments, truth: Record<string, unknown[]>, category = "simple_python") =>
  isRight({ category, functions, truth: [{ book: truth }] }, [{ name: "book", arguments: args }]);

describe("one call", () => {
  it("may write texts in other case, spacing and punctuation", () => {
    expect(book({ city: "new-york" }, { city: ["New York"] })).toBe(true);
    expect(book({ city: "New Yorks" }, { city: ["New York", "NYC"] })).toBe(false);
  });

  it("gives what is required, and nothing that is not expected", () => {
    expect(book({}, { city: ["Rome", ""] })).toBe(false);
    expect(book({ city: "Rome", nights: 2 }, { city: ["Rome"] })).toBe(false);
    expect(book({ city: "Rome", pets: 1 }, { city: ["Rome"], pets: [1] })).toBe(false);
  });

  it("leaves out only what may be left out", () => {
    expect(book({ city: "Rome" }, { city: ["Rome"], nights: [2, ""] })).toBe(true);
    expect(book({ city: "Rome" }, { city: ["Rome"], nights: [2] })).toBe(false);
  });

  it("has values of the kinds declared", () => {
    expect(book({ city: "Rome", nights: "2" }, { city: ["Rome"], nights: [2] })).toBe(false);
    expect(book({ city: "Rome", nights: 2.5 }, { city: ["Rome"], nights: [2] })).toBe(false);
    expect(book({ city: "Rome", price: 80 }, { city: ["Rome"], price: [80.0] })).toBe(true);
    expect(book({ city: "Rome", late: 1 }, { city: ["Rome"], late: [true] })).toBe(false);
  });

  it("may name a variable where the truth does", () => {
    expect(book({ city: "Rome", nights: "my_nights" }, { city: ["Rome"], nights: ["my_nights"] })).toBe(true);
    expect(book({ city: "Rome", nights: "My_Nights" }, { city: ["Rome"], nights: ["my_nights"] })).toBe(false);
  });

  it("has lists in order", () => {
    const truth = { city: ["Rome"], rooms: [["Sea View", "garden"]] };
    expect(book({ city: "Rome", rooms: ["sea view", "Garden"] }, truth)).toBe(true);
    expect(book({ city: "Rome", rooms: ["garden", "sea view"] }, truth)).toBe(false);
    expect(book({ city: "Rome", rooms: [1, 2] }, truth)).toBe(false);
  });

  it("has objects whose keys have acceptable values each, also in lists", () => {
    const guest = { name: ["Ann", "ann b"], age: [30, ""] };
    expect(book({ city: "Rome", guest: { name: "ANN" } }, { city: ["Rome"], guest: [guest] })).toBe(true);
    expect(book({ city: "Rome", guest: { age: 30 } }, { city: ["Rome"], guest: [guest] })).toBe(false);
    const beds = [[{ size: ["king"] }, { size: ["twin"] }]];
    expect(book({ city: "Rome", beds: [{ size: "King" }, { size: "twin" }] }, { city: ["Rome"], beds })).toBe(true);
    expect(book({ city: "Rome", beds: [{ size: "king" }] }, { city: ["Rome"], beds })).toBe(false);
  });
});

describe("several calls", () => {
  const truth = [{ book: { city: ["Rome"] } }, { cancel: { id: [7] } }];
  const rome = { name: "book", arguments: { city: "Rome" } };
  const seven = { name: "cancel", arguments: { id: 7 } };

  it("come in any order, all of them and no more", () => {
    const right = (calls: object[]) => isRight({ category: "parallel_multiple", functions, truth }, calls);
    expect(right([seven, rome])).toBe(true);
    expect(right([rome])).toBe(false);
    expect(right([rome, rome])).toBe(false);
    expect(right([rome, seven, seven])).toBe(false);
  });
});

it("where no tool fits there must be no call, and where one does, one", () => {
  const call = { name: "cancel", arguments: {} };
  expect(isRight({ category: "live_irrelevance", functions }, [])).toBe(true);
  expect(isRight({ category: "irrelevance", functions }, [call])).toBe(false);
  expect(isRight({ category: "live_relevance", functions }, [call])).toBe(true);
  expect(isRight({ category: "live_relevance", functions }, [])).toBe(false);
});
