import { expect, test } from "vitest";
import { Lookahead } from "./lookahead.js";

const markerEnd = (text: string, final = true) => {
  const look = new Lookahead({ text, final });
  return [look.markerEnd("</function>", 0), look.hitEnd];
};

test("a closing tag may repeat what follows its name in the opening tag", () => {
  expect(markerEnd("</function=add>")).toEqual([15, false]);
  expect(markerEnd("</function=add")).toEqual([false, false]);
  expect(markerEnd("</function=ad", false)).toEqual([false, true]);
  expect(markerEnd("</function=a\nb>")).toEqual([false, false]);
  expect(markerEnd("</functions=a>")).toEqual([false, false]);
});
