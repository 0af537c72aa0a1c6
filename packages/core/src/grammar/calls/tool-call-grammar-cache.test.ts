import { beforeEach, describe, expect, it } from "vitest";
import { protocols } from "../../protocols/index.js";
import { clearGrammarCache, grammarCacheInfo, toolCallGrammar } from "../index.js";

const tool = (name: string) => ({ name, parameters: { type: "object", properties: { a: { type: "string" } } } });
const [one, two] = [tool("one"), tool("two")];
const make = (tools: ReturnType<typeof tool>[]) =>
  toolCallGrammar({ tools, protocol: protocols.hermes, toolChoice: "required" });

describe("the grammar cache", () => {
  beforeEach(clearGrammarCache);

  it("returns the same grammar for the same tools, also in another list", () => {
    expect(make([one, two])).toBe(make([one, two]));
    expect(make([two, one])).not.toBe(make([one, two]));
    expect(grammarCacheInfo().entries).toBe(2);
  });

  it("returns grammars that callers cannot change", () => {
    const made = make([one]);
    expect(() => Object.assign(made, { grammar: "" })).toThrow(TypeError);
    expect(() => made.unenforced.push({ tool: "one", path: "", keyword: "type" })).toThrow(TypeError);
    expect(make([one]).grammar).toContain("one");
  });

  it("makes a new grammar for a changed list", () => {
    const list = [one];
    const before = make(list);
    list.push(two);
    expect(make(list).grammar).toContain("two");
    expect(before.grammar).not.toContain("two");
  });

  it("reports its size in bytes, and can be cleared", () => {
    const { grammar } = make([one]);
    const { bytes } = grammarCacheInfo();
    expect(bytes).toBeGreaterThan(grammar.length);
    expect(bytes).toBeLessThan(2 * grammar.length);
    clearGrammarCache();
    expect(grammarCacheInfo()).toEqual({ entries: 0, bytes: 0 });
  });

  it("is bounded, and keeps the grammars used last", () => {
    const long = { enum: Array.from({ length: 20_000 }, (_, i) => `value ${i}`) };
    const first = [one];
    const kept = make(first);
    for (let i = 0; i < 30; i++) {
      make([{ name: "big", parameters: { type: "object", properties: { a: long as never } } }]);
      expect(make(first)).toBe(kept);
    }
    expect(grammarCacheInfo().bytes).toBeLessThanOrEqual(4_000_000);
    expect(grammarCacheInfo().entries).toBeLessThan(30);
  });
});
