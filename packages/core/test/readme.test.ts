import { describeReadme } from "../../../test/support/readme-examples.js";
import * as conversation from "../src/conversation/index.js";
import * as grammar from "../src/grammar/index.js";
import * as core from "../src/index.js";
import * as hermes from "../src/protocols/hermes.js";
import * as mistral from "../src/protocols/mistral.js";
import * as providers from "../src/providers/index.js";
import * as reply from "../src/reply/index.js";

describeReadme(new URL("../README.md", import.meta.url), {
  count: 12,
  scope: { ...core, ...conversation, ...grammar, ...providers },
  entries: {
    "@toolingua/core/reply": reply,
    "@toolingua/core/protocols/hermes": hermes,
    "@toolingua/core/protocols/mistral": mistral,
  },
});
