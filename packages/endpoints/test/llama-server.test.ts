import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTinyModel } from "@toolingua/llama-cpp";
import { describe } from "vitest";
import { llamaServerMissing } from "./support/llama-server.js";
import { describeServer } from "./support/llama-server-suite.js";

// The real server with a model that knows nothing; with real ones: `npm run verify -- llama-server`.

const missing = llamaServerMissing();

describe.skipIf(missing)(`llama.cpp's own server${missing ? ` (${missing})` : ""}`, () => {
  describeServer({
    format: { format: "chatml" },
    model: async () => {
      const path = join(mkdtempSync(join(tmpdir(), "toolingua-tiny-")), "tiny.gguf");
      await writeTinyModel(path, { kind: "random" });
      return { path };
    },
  });
});
