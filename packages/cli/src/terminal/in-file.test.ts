import { expect, test } from "vitest";
import { CliError } from "./errors.js";
import { inFile } from "./in-file.js";

test("an error is named after the file, and stays what it is", async () => {
  const error = Object.freeze(new CliError("usage", "2:11: <fakt> is not allowed."));
  const failing = (file: string | undefined) => inFile(file, () => Promise.reject(error)).catch((reason) => reason);
  for (let times = 0; times < 2; times++) {
    const named = await failing("session.pml");
    expect(named).toBeInstanceOf(CliError);
    expect(named).toMatchObject({ message: "session.pml:2:11: <fakt> is not allowed.", code: "usage", exitCode: 64 });
  }
  expect(error.message).toBe("2:11: <fakt> is not allowed.");
  for (const none of [undefined, "-"]) expect(await failing(none)).toBe(error);
});

test.each([
  ["a DOMException", new DOMException("too late", "TimeoutError"), "TimeoutError", 23],
  ["a coded error", Object.assign(new TypeError("too late"), { code: "late" }), "TypeError", "late"],
])("%s keeps its name, code and stack", async (_, error, name, code) => {
  const named = await inFile("a.mjs", () => Promise.reject(error)).catch((reason) => reason);
  expect([named.name, named.code, named.cause, String(named)]).toEqual([name, code, error, `${name}: a.mjs: too late`]);
  const frames = (stack: string) => stack.slice(stack.indexOf("\n    at "));
  expect(named.stack).toBe(`${name}: a.mjs: too late${frames(error.stack ?? "")}`);
});

test.each([
  new CliError("bad-input", "too late"),
  new CliError("bad-input", "too late", { file: "other.mjs" }),
  new TypeError("too late"),
])("an error is named after a file once: %o", async (error) => {
  const named = await inFile("a.mjs", () => inFile("a.mjs", () => Promise.reject(error))).catch((reason) => reason);
  expect(named.message).toBe("a.mjs: too late");
});

test.each(["late\n    at last", "", "late\n    at last\n"])(
  "a message whose lines look like frames is in the stack once: %j",
  async (message) => {
    const named = await inFile("a.mjs", () => Promise.reject(new Error(message))).catch((reason) => reason);
    const head = `Error: a.mjs: ${message}\n    at `;
    expect(named.stack.slice(0, head.length)).toBe(head);
    expect(named.stack.slice(head.length)).not.toContain("at last");
    expect(named.stack).toContain("in-file.test.ts");
  },
);
