import { run } from "@toolingua/example-command-line";
import { afterEach, describe, expect, test, vi } from "vitest";
import { commandLine, type Options, optionsOf } from "./options.js";

afterEach(() => vi.restoreAllMocks());

async function read(args: string[]) {
  const err = vi.spyOn(console, "error").mockImplementation(() => {});
  let options: Options | undefined;
  await run(
    commandLine,
    async (given) => {
      options = optionsOf(given);
    },
    args,
  );
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  return { code, options, err: err.mock.calls.flat().join("\n") };
}

describe("the command line", () => {
  test("needs no arguments", async () => {
    expect((await read([])).options).toEqual({
      question: "What time is it in Tokyo?",
      model: undefined,
      protocol: "hermes",
      constrain: false,
      retry: true,
      temperature: 0,
      seed: 1,
      showPrompt: false,
      json: false,
    });
  });

  test("accepts a question with or without quotes, and flags next to it", async () => {
    const args = ["What", "is 2 + 2?", "--no-retry", "--protocol", "xml", "--seed=7", "--show-prompt", "--constrain"];
    expect((await read(args)).options).toMatchObject({
      question: "What is 2 + 2?",
      retry: false,
      protocol: "xml",
      seed: 7,
      showPrompt: true,
      constrain: true,
    });
  });

  test.each([
    [["--protocol", "morse"], /--protocol morse: there is no such protocol. There are .*hermes/],
    [["--temperature", "hot"], /--temperature hot: give a number from 0 to 2/],
    [["--temperature", ""], /--temperature needs a number from 0 to 2/],
    [["--seed", "1.5"], /--seed 1.5: give a whole number from 0 to 4294967295/],
    [["--unknown"], /--unknown/],
  ])("explains what is wrong with %j", async (args, message) => {
    expect(await read(args)).toMatchObject({ code: 2, options: undefined, err: expect.stringMatching(message) });
  });
});
