import { OptionsError } from "../../errors.js";
import type { UntrustedTexts } from "./copy-watch.js";
import { FormsWatch } from "./forms-watch.js";
import { TextIndex } from "./text-index.js";

/**
 * Texts of this conversation that neither the application nor the model wrote, before escaping: user messages, tool
 * results, documents, in order. `undefined` if there are none.
 *
 * Errors: `OptionsError` (`bad-option`) for anything but a list of strings.
 *
 * @example parseReply(reply, { protocol: hermes, tools, untrusted: untrustedTexts(["What is 2 + 3?"]) });
 */
export function untrustedTexts(texts: readonly string[] | undefined): UntrustedTexts | undefined {
  if (texts === undefined) return undefined;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string"))
    throw new OptionsError("bad-option", "`untrusted` is a list of strings: the untrusted texts of the conversation.");
  if (texts.length === 0) return undefined;
  const index = new TextIndex(texts);
  return { watch: () => new FormsWatch(index) };
}
