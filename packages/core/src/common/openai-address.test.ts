import { expect, test } from "vitest";
import { isOpenAIAddress } from "./openai-address.js";

test.each([
  ["https://api.openai.com/v1", true],
  ["https://api.openai.com", true],
  ["https://api.openai.com:443/v1", true],
  ["https://api.openai.com.example.org/v1", false],
  ["https://example.org/https://api.openai.com/v1", false],
  ["http://localhost:8000/v1", false],
  ["http://api.openai.com/v1", false],
  ["https://API.openai.com/v1", true],
  ["https://api.openai.com:x@example.org/v1", false],
  ["https://api.openai.com:443@example.org/v1", false],
  ["/v1", false],
])("%s: OpenAI's own is %s", (address, isOpenAI) => expect(isOpenAIAddress(address)).toBe(isOpenAI));
