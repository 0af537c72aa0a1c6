// The time of the first grammar of a process, in ms.
import { shortest } from "@toolingua/benchmark-timing";
import { protocols } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { tools } from "./cases.mjs";

const made = shortest(() => toolCallGrammar({ tools, protocol: protocols.hermes, toolChoice: "required" }), 1);
console.log(made.value / 1000);
