import type { Breakage } from "./breakages/breakage.js";
import { chatBreakages } from "./breakages/chat.js";
import { messagesBreakages } from "./breakages/messages.js";
import { responsesBreakages } from "./breakages/responses.js";

/** Every way in which a server is broken here. */
export const breakages: readonly Breakage[] = [...chatBreakages, ...responsesBreakages, ...messagesBreakages];
