import { afterEach, expect, it, vi } from "vitest";
import { LogitMasks } from "./index.js";

const vocabulary = { tokens: ["a", "b", ""], type: "raw" as const };
const load = () => LogitMasks.load({ vocabulary, endTokens: 2 });
const failed = (code: string) => expect.objectContaining({ name: "LogitMaskError", code });
const logits = () => ({ data: new Float32Array(3) });

afterEach(() => vi.doUnmock("@mlc-ai/web-xgrammar"));

it("reports that xgrammar did not start, and starts it the next time", async () => {
  vi.doMock("@mlc-ai/web-xgrammar", () => {
    throw new Error("the file was not there");
  });
  await expect(load()).rejects.toEqual(failed("engine"));
  vi.doUnmock("@mlc-ai/web-xgrammar");
  const masks = await load();
  masks.dispose();
});

it("a disposed object is an error, and disposing of it again is not", async () => {
  const masks = await load();
  const grammar = await masks.compile('root ::= "a"');
  const processor = await grammar.processor();
  for (const each of [processor, grammar, masks]) {
    each.dispose();
    each.dispose();
  }
  expect(() => processor([[0]], logits())).toThrow(failed("disposed"));
  await expect(grammar.processor()).rejects.toEqual(failed("disposed"));
  await expect(masks.compile('root ::= "a"')).rejects.toEqual(failed("disposed"));
});

it("a processor that has finished a reply refuses another", async () => {
  const masks = await load();
  const processor = await (await masks.compile('root ::= "a" "b"')).processor();
  processor([[1]], logits());
  processor([[1, 0]], logits());
  expect(() => processor([[1]], logits())).toThrow(failed("reused"));
  masks.dispose();
});
