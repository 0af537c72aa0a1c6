import { describe, expect, test } from "vitest";
import { readOptions } from "./options.js";

describe("the command line", () => {
  test("needs no arguments", () => {
    expect(readOptions([])).toMatchObject({ question: "What time is it in Tokyo?", repair: true, temperature: 0 });
  });

  test("accepts a question with or without quotes, and flags next to it", () => {
    const options = readOptions(["What", "is 2 + 2?", "--no-repair", "--protocol", "xml", "--seed=7", "--show-prompt"]);
    expect(options).toMatchObject({
      question: "What is 2 + 2?",
      repair: false,
      protocol: "xml",
      seed: 7,
      showPrompt: true,
    });
  });

  test.each([
    [["--protocol", "morse"], /--protocol morse: there is no such protocol. There are .*hermes/],
    [["--temperature", "hot"], /--temperature hot: give a number from 0 to 2/],
    [["--temperature", ""], /--temperature : give a number/],
    [["--unknown"], /--unknown/],
  ])("explains what is wrong with %j", (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
