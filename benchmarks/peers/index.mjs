// Other ways of calling tools by prompt, all in one shape:
//   prompt(messages, tools)  messages and tools as Toolingua's core has them → { messages: text only, stop }. A message
//                            with calls has the `reply` too, as it was written
//   parse(text, tools)       a whole reply → { calls: [{ name, arguments }], failed: it was meant as a call, and is none,
//                            text: what is said to the user }
//   converses: false         knows only one question, and no results of calls before it
import { aiSdk } from "./ai-sdk.mjs";
import { langchain } from "./langchain.mjs";
import { llamaindex } from "./llamaindex.mjs";

export const peers = [...aiSdk, ...langchain, ...llamaindex];
