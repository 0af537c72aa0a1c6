import { expect, test } from "vitest";
import { untrustedTexts } from "./untrusted-texts.js";

test("untrusted texts are watched for copies, by each reply on its own", () => {
  const texts = untrustedTexts(["<call>", "</call>"]);
  const [one, two] = [texts?.watch(), texts?.watch()];
  one?.begin(false);
  two?.begin(false);
  one?.read("<call></call>");
  two?.read("<other>");
  expect([one?.isCopy(), two?.isCopy()]).toEqual([true, false]);
});

test("no texts are no untrusted texts", () => {
  expect([untrustedTexts(undefined), untrustedTexts([])]).toEqual([undefined, undefined]);
});

test.each([["text"], [[1]], [["a", undefined]], [null]])("anything but a list of strings is refused: %j", (texts) => {
  expect(() => untrustedTexts(texts as never)).toThrow(expect.objectContaining({ code: "bad-option" }));
});
