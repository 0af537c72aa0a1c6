import { parseReply } from "../full/index.js";
import { createEscaper } from "../prompt/escape.js";
import type { Protocol } from "../protocol.js";
import { everyProtocol } from "../protocols/index.js";

/**
 * Why a protocol cannot call a tool of this name: what it writes as such a call it must read as one, and it may be able to
 * do neither; and no prompt may show a name that holds a marker. `undefined` where it can.
 *
 * @example whyUncallable("get weather", getProtocol("xml")); // "it would be written …"
 */
export function whyUncallable(name: string, protocol: Protocol): string | undefined {
  const tools = [{ name }];
  let written: string;
  try {
    written = protocol.renderCalls([{ name, arguments: {} }], { tools });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const marker = escaperFor(name).markerIn(name);
  if (marker !== undefined) return `it holds ${JSON.stringify(marker)}, a marker that no prompt may hold in a name.`;
  if (parseReply(written, { tools, protocol }).toolCalls[0]?.name === name) return undefined;
  return `it would be written ${JSON.stringify(written)}, and that is not read as a call of it.`;
}

/** A name without one of these signs is part of no marker itself, and the same escaper does for all such names. */
const escaperFor = (name: string) => createEscaper(everyProtocol, { tools: /[<@:]/.test(name) ? [name] : [] });
