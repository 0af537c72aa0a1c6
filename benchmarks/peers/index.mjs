// Other ways of calling tools by prompt, all in one shape:
//   prompt(messages, tools)  messages and tools as Toolingua's core has them → { messages: text only, stop }
//   parse(text, tools)       a whole reply → { calls: [{ name, arguments }], failed: it was meant as a call, and is none }
import { aiSdk } from "./ai-sdk.mjs";
import { langchain } from "./langchain.mjs";
import { llamaindex } from "./llamaindex.mjs";

export const peers = [...aiSdk, ...langchain, ...llamaindex];
