import { describe, expect, test } from "vitest";
import { readOptions } from "./options.js";

describe("the command line", () => {
  test("needs nothing", () => {
    expect(readOptions([])).toMatchObject({ question: "What time is it in Tokyo?", repair: true, temperature: 0 });
  });

  test("takes a question with or without quotes, and flags beside it", () => {
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
  ])("says what is wrong with %j", (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
