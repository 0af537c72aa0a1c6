import { ProtocolError } from "../errors.js";
import type { Protocol } from "../protocol.js";
import { amXml } from "./am-xml.js";
import { apertus } from "./apertus.js";
import { commandR } from "./command-r.js";
import { deepseekV3 } from "./deepseek-v3.js";
import { deepseekV4 } from "./deepseek-v4.js";
import { deepseekV31 } from "./deepseek-v31.js";
import { deepseekV32 } from "./deepseek-v32.js";
import { functionary } from "./functionary.js";
import { functiongemma } from "./functiongemma.js";
import { gemma4 } from "./gemma4.js";
import { gigachat3 } from "./gigachat3.js";
import { glm4 } from "./glm4.js";
import { glm45 } from "./glm45.js";
import { granite } from "./granite.js";
import { granite20b } from "./granite-20b.js";
import { granite4 } from "./granite4.js";
import { hermes } from "./hermes.js";
import { hunyuanA13b } from "./hunyuan-a13b.js";
import { hunyuanV3 } from "./hunyuan-v3.js";
import { internlm2 } from "./internlm2.js";
import { jamba } from "./jamba.js";
import { jsonList } from "./json-list.js";
import { kimiK2 } from "./kimi-k2.js";
import { lfm2 } from "./lfm2.js";
import { llama3Json } from "./llama3-json.js";
import { longcat } from "./longcat.js";
import { minicpm5 } from "./minicpm5.js";
import { minimaxM2 } from "./minimax-m2.js";
import { mistral, mistralList } from "./mistral.js";
import { nemotronV2 } from "./nemotron-v2.js";
import { olmo3 } from "./olmo3.js";
import { phi4Mini } from "./phi4-mini.js";
import { pythonic } from "./pythonic.js";
import { qwen3Coder } from "./qwen3-coder.js";
import { seedOss } from "./seed-oss.js";
import { step3 } from "./step3.js";
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
  "qwen3-coder": qwen3Coder,
  mistral,
  "mistral-list": mistralList,
  "llama3-json": llama3Json,
  "json-list": jsonList,
  "deepseek-v3": deepseekV3,
  "deepseek-v31": deepseekV31,
  "deepseek-v32": deepseekV32,
  "deepseek-v4": deepseekV4,
  glm45,
  glm4,
  "kimi-k2": kimiK2,
  granite,
  granite4,
  "granite-20b": granite20b,
  "phi4-mini": phi4Mini,
  "command-r": commandR,
  "minimax-m2": minimaxM2,
  "seed-oss": seedOss,
  functionary,
  "hunyuan-a13b": hunyuanA13b,
  "hunyuan-v3": hunyuanV3,
  jamba,
  internlm2,
  step3,
  longcat,
  apertus,
  minicpm5,
  gigachat3,
  "nemotron-v2": nemotronV2,
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
