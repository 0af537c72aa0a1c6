import { expect, test } from "vitest";
import { OpenPackaging } from "./open-packaging.js";

const opened = (...texts: string[]) => {
  const packaging = new OpenPackaging(true);
  const lengths = texts.map((text) => packaging.open(text, false));
  return { packaging, lengths };
};

test("a code fence is open until its marker, and says what is in it", () => {
  const { packaging, lengths } = opened("```tool_code\nf()");
  expect(lengths).toEqual(["```tool_code\n".length]);
  expect(packaging).toMatchObject({ isFenceOpen: true, isCode: true, isMeant: true, isQuotation: false, fence: "```" });
  packaging.close("```");
  expect(packaging).toMatchObject({ isFenceOpen: false, closers: [] });
});

test("inline code is a quotation, and no fence", () => {
  const { packaging } = opened("`f()`");
  expect(packaging).toMatchObject({ isFenceOpen: false, isQuotation: true, closers: ["`"], fence: undefined });
});

test("without a wrapping, a fence may close what a server dropped", () => {
  expect(opened("f()").packaging.closers).toEqual(["```", "~~~"]);
  expect(new OpenPackaging(false).closers).toEqual([]);
});

test("the marks of lists that differ are those of a diff", () => {
  expect(opened("- f()", "- g()").packaging.isDiff).toBe(false);
  expect(opened("- f()", "+ g()").packaging.isDiff).toBe(true);
});
