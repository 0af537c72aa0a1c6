import { resolveModel } from "@toolingua/llama-cpp";
import { describe, expect, test } from "vitest";
import { llamaServerMissing } from "./support/llama-server.js";
import { describeServer } from "./support/llama-server-suite.js";

// The same as in llama-server.test.ts, with models that know something. They are fetched once.

test("llama.cpp's own server exists", () => {
  expect(llamaServerMissing()).toBeUndefined();
});

describe("SmolLM2 135M", () => {
  describeServer({
    format: { format: "chatml" },
    model: () => resolveModel("smollm2-135m"),
  });
});

describe("Gemma 3 270M", async () => {
  const { path, chatTemplate } = await resolveModel("gemma3-270m");
  const template = typeof chatTemplate === "string" ? chatTemplate : chatTemplate!.template;
  describeServer({
    format: { template },
    model: async () => ({ path, template }),
  });
});
