import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { shortened } from "./shown-json.js";

const output = (size: { columns?: number; rows?: number }) => Object.assign(new PassThrough(), size);

test.each([{}, { columns: 0, rows: 0 }, { columns: 0, rows: 24 }, { columns: 80, rows: 0 }])(
  "a terminal that reports the size %j shows a short value as it is",
  (size) => {
    const json = JSON.stringify({ city: "Oslo", days: 2 }, null, 2);
    expect(shortened(json, output(size))).toEqual({ text: json, isShort: true });
  },
);
