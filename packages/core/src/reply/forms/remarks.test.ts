import { expect, test } from "vitest";
import { pieces } from "../../../test/support/pieces.js";

const call = '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>';

test.each(['# Note: "key": 1', '// see "a": 1\n<｜tool▁calls▁end｜>'])(
  "a comment with a key after a call's closing marker leaves the call: %s",
  (after) => expect(pieces(call + after, "deepseek-v31")[0]).toEqual(["call", "get_weather"]),
);
