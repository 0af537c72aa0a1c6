import { messageOf } from "../common/result-text.js";
import { parseReply } from "../full/index.js";
import { createEscaper } from "../prompt/escape.js";
import type { Protocol } from "../protocol.js";
import { everyProtocol } from "../protocols/index.js";

/**
 * Explains why a protocol cannot call a tool of this name: it cannot write such a call or cannot read it back, or the
 * name contains a marker, which no prompt may show. `undefined` if it can.
 *
 * @example whyUncallable("get weather", getProtocol("xml")); // 'The protocol "xml" cannot call a tool named "get weather": …'
 */
export function whyUncallable(name: string, protocol: Protocol): string | undefined {
  const why = problemOf(name, protocol);
  return why === undefined ? undefined : `The protocol "${protocol.name}" cannot call a tool named "${name}": ${why}`;
}

function problemOf(name: string, protocol: Protocol): string | undefined {
  const tools = [{ name }];
  let written: string;
  try {
    written = protocol.renderCalls([{ name, arguments: {} }], { tools });
  } catch (error) {
    return messageOf(error);
  }
  const marker = escaperFor(name).markerIn(name);
  if (marker !== undefined) return `it holds ${JSON.stringify(marker)}, a marker that no prompt may hold in a name.`;
  if (parseReply(written, { tools, protocol }).toolCalls[0]?.name === name) return undefined;
  return `it would be written ${JSON.stringify(written)}, and that is not read as a call of it.`;
}

/** Names without these characters are not part of any marker, so all of them share one escaper. */
const escaperFor = (name: string) => createEscaper(everyProtocol, { tools: /[<@:]/.test(name) ? [name] : [] });
