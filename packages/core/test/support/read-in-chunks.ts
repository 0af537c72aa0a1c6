import { expect } from "vitest";
import { Input, type Status } from "../../src/notation/input.js";

/** A reader of one item, and what it has found. */
interface Reading<Found> {
  read(input: Input): Status;
  found(): Found;
}

/** What a reader finds in a text, its status and the text after the item: the same as a whole and character by character. */
export function readInChunks<Found>(text: string, begin: () => Reading<Found>) {
  const [whole, streamed] = [[text], [...text]].map((chunks) => {
    const { read, found } = begin();
    const input = new Input();
    let status: Status = "more";
    let pushed = 0;
    for (const chunk of chunks) {
      input.push(chunk);
      pushed += chunk.length;
      status = read(input);
      if (status !== "more") break;
    }
    input.final = true;
    if (status === "more") status = read(input);
    return { status, rest: input.text.slice(input.pos) + text.slice(pushed), ...found() };
  });
  expect(streamed).toEqual(whole);
  return whole!;
}
