import { parseReply, protocols } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as logitMask from "../src/index.js";

const scope = { ...logitMask, parseReply, protocols, toolCallGrammar };
describeReadme(new URL("../README.md", import.meta.url), { count: 1, scope });
