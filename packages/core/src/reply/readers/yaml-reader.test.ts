import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";

const run = (text: string) => readings(`<read_meter>\n${text}\n</read_meter>`, "tool-tags");

describe("lines of comments before the tool's one text", () => {
  test.each(["# all of them\nls -l", "#!/bin/sh\nls", "# a\n\n# b\nfor f in *; do\n  echo $f\ndone"])(
    "are part of it: %j",
    (text) => expect(run(text)).toEqual([["read_meter", { room: text }]]),
  );

  test("are comments before arguments", () => {
    expect(run("# the first one\nroom: hall")).toEqual([["read_meter", { room: "hall" }]]);
  });

  test.each(["# all of them", "# room: hall\nls", "# a\n{broken", "# a\n- b"])("make no call in doubt: %j", (text) => {
    expect(run(text)).toEqual([expect.any(String)]);
  });
});
