import { expect, it } from "vitest";
import { SharedTools } from "./shared-tools.js";

const tool = (name: string) => ({ name, parameters: { type: "object", properties: { a: { type: "string" } } } });

it("the same definition is the same object, and another is another", () => {
  const shared = new SharedTools();
  const [a, b] = shared.share([tool("a"), tool("b")]);
  expect(shared.share([tool("b"), tool("a"), tool("c")])).toEqual([tool("b"), tool("a"), tool("c")]);
  const again = shared.share([tool("a"), tool("b")]);
  expect([again[0] === a, again[1] === b]).toEqual([true, true]);
});

it("what was not used for longest is forgotten", () => {
  const size = JSON.stringify(tool("a")).length;
  const shared = new SharedTools(2 * size);
  const [a, b] = shared.share([tool("a"), tool("b")]);
  shared.share([tool("a"), tool("c")]);
  expect(shared.share([tool("a")])[0]).toBe(a);
  expect(shared.share([tool("b")])[0]).not.toBe(b);
});
