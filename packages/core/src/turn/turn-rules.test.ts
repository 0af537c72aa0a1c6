import { expect, test } from "vitest";
import { generateWithTools } from "./generate-with-tools.js";

const model = () => [];

test.each([
  [undefined, "The options of a turn must be an object, not undefined."],
  [null, "The options of a turn must be an object, not null."],
  [{}, "`model` is missing in the options of a turn: a text model, such as `chatEndpoint()` makes."],
  [{ model }, "`messages` is missing in the options of a turn: a list of messages."],
  [{ model, messages: [], maxTokens: 0, mesages: [] }, 'There is no "mesages" in the options of a turn.'],
  [{ model, messages: [], maxTokens: 0 }, "`maxTokens` is a whole number from 1, not 0."],
])("wrong options of a turn are refused, names before values: %o", async (options, message) => {
  await expect(generateWithTools(options as never).result()).rejects.toEqual(
    expect.objectContaining({ name: "OptionsError", code: "bad-option", message: expect.stringContaining(message) }),
  );
});
