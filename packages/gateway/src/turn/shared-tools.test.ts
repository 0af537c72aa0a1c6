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

it("the order of keys is part of a definition, since the model is shown it", () => {
  const shared = new SharedTools();
  const properties = { a: { type: "string" }, b: { type: "string" } };
  const turned = { b: properties.b, a: properties.a };
  const [first] = shared.share([{ name: "t", parameters: { type: "object", properties } }]);
  const [second] = shared.share([{ name: "t", parameters: { type: "object", properties: turned } }]);
  expect(second).not.toBe(first);
  const list = { name: "t", parameters: { type: "object", required: ["a"] } };
  shared.share([list]);
  const [object] = shared.share([{ name: "t", parameters: { type: "object", required: { 0: "a" } } }] as never);
  expect(object).not.toBe(list);
});

it("of one name a few are kept, so that many cost nobody time", () => {
  const shared = new SharedTools();
  const versions = Array.from({ length: 9 }, (_, i) => ({ ...tool("t"), description: `Version ${i}` }));
  shared.share(versions);
  const again = shared.share(versions.map((version) => ({ ...version })).reverse());
  expect(again.reverse().map((one, i) => one === versions[i])).toEqual([false, ...Array(8).fill(true)]);
});
