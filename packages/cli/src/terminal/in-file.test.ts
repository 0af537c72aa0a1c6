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
