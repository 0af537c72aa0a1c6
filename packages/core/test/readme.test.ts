import { describeReadme } from "../../../test/support/readme-examples.js";
import * as conversation from "../src/conversation/index.js";
import * as grammar from "../src/grammar/index.js";
import * as core from "../src/index.js";
import * as providers from "../src/providers/index.js";

describeReadme(new URL("../README.md", import.meta.url), {
  count: 8,
  scope: { ...core, ...conversation, ...grammar, ...providers },
});
