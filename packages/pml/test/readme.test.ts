import { generateWithTools, type TextModel } from "@toolingua/core";
import { describe } from "vitest";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as pml from "../src/index.js";

// The examples of the README and of docs/pml.md, word for word; only the model is a scripted one.

/** Answers if it was sent the document. */
const model: TextModel = async function* ({ messages }) {
  yield messages.at(-1)?.content.includes("<fact") ? "Yes, take a coat." : "Where?";
};

for (const [page, count] of Object.entries({ "../README.md": 1, "../../../docs/pml.md": 2 }))
  describe(page, () =>
    describeReadme(new URL(page, import.meta.url), {
      count,
      scope: { ...pml, generateWithTools, chatEndpoint: () => model },
    }),
  );
