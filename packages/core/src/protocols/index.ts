import { ProtocolError } from "../errors.js";
import type { Protocol } from "../protocol.js";
import { amXml } from "./am-xml.js";
import { functiongemma } from "./functiongemma.js";
import { gemma4 } from "./gemma4.js";
import { hermes } from "./hermes.js";
import { lfm2 } from "./lfm2.js";
import { olmo3 } from "./olmo3.js";
import { pythonic } from "./pythonic.js";
import { xml } from "./xml.js";

/** Every wire format, by name. A new one is a new file and a line here. */
export const protocols = {
  hermes,
  xml,
  "am-xml": amXml(),
  pythonic,
  lfm2,
  olmo3,
  gemma4,
  functiongemma,
} as const satisfies Record<string, Protocol>;

/** The name of a registered wire format. */
export type ProtocolName = keyof typeof protocols;

/**
 * The protocol of that name; a protocol is given back as it is.
 *
 * Errors: `ProtocolError` with code `unknown-protocol`.
 *
 * @example getProtocol("hermes").renderCalls([{ name: "now", arguments: {} }], { tools: [] });
 */
export function getProtocol(protocol: ProtocolName | Protocol): Protocol {
  if (typeof protocol !== "string") return protocol;
  const found = Object.hasOwn(protocols, protocol) ? protocols[protocol] : undefined;
  if (found) return found;
  const names = Object.keys(protocols).join(", ");
  throw new ProtocolError("unknown-protocol", `There is no protocol "${protocol}". There are: ${names}.`);
}

/** Model families by what their ids contain; the first that fits counts. */
const families: [RegExp, ProtocolName][] = [
  [/functiongemma/, "functiongemma"],
  [/gemma-?4/, "gemma4"],
  [/lfm-?2/, "lfm2"],
  [/olmo-?3/, "olmo3"],
  [/llama-?4|llama-?3\.2|toolace/, "pythonic"],
  [/qwen|qwq|hermes|smollm/, "hermes"],
];

/**
 * The wire format a model was trained on, from its id in any registry's spelling; `xml` for a model that has none.
 *
 * @example protocolForModel("qwen2.5:7b-instruct-q4_K_M"); // "hermes"
 */
export function protocolForModel(modelId: string): ProtocolName {
  const id = modelId.toLowerCase();
  return families.find(([family]) => family.test(id))?.[1] ?? "xml";
}
