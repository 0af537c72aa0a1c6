import { protocols } from "@toolingua/core";
import { expect, test } from "vitest";
import { readTools } from "./tools.js";

test("a closed schema that the SDK may validate is opened, unless a grammar would then admit any key", () => {
  const inputSchema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object" as const,
    properties: { city: { type: "string" as const } },
    additionalProperties: false,
  };
  const isClosed = (strict: boolean) => {
    const [tool] = readTools([{ type: "function", name: "find", inputSchema }], protocols.hermes, strict).definitions;
    return Object(tool?.parameters).additionalProperties === false;
  };
  expect([isClosed(true), isClosed(false)]).toEqual([true, false]);
});
