import { ProtocolError } from "../errors.js";
import type { Protocol } from "../protocol.js";
import { protocolIn } from "../registry.js";
import { amXml } from "./am-xml.js";
import { apertus } from "./apertus.js";
import { apriel } from "./apriel.js";
import { atCommand } from "./at-command.js";
import { clova } from "./clova.js";
import { commandR } from "./command-r.js";
import { deepseekV3 } from "./deepseek-v3.js";
import { deepseekV4 } from "./deepseek-v4.js";
import { deepseekV31 } from "./deepseek-v31.js";
import { deepseekV32 } from "./deepseek-v32.js";
import { deepseekV41 } from "./deepseek-v41.js";
import { dots } from "./dots.js";
import { doubao } from "./doubao.js";
import { ernie } from "./ernie.js";
import { exaone4 } from "./exaone4.js";
import { familyProtocol } from "./families.js";
import { functionary } from "./functionary.js";
import { functiongemma } from "./functiongemma.js";
import { gemma4 } from "./gemma4.js";
import { gigachat3 } from "./gigachat3.js";
import { gigachat35 } from "./gigachat35.js";
import { glm4 } from "./glm4.js";
import { glm45 } from "./glm45.js";
import { granite } from "./granite.js";
import { granite20b } from "./granite-20b.js";
import { granite4 } from "./granite4.js";
import { harmony } from "./harmony.js";
import { hermes } from "./hermes.js";
import { hunyuanA13b } from "./hunyuan-a13b.js";
import { hunyuanV3 } from "./hunyuan-v3.js";
import { hunyuanV4 } from "./hunyuan-v4.js";
import { inkling } from "./inkling.js";
import { internlm2 } from "./internlm2.js";
import { iquestCoder } from "./iquest-coder.js";
import { jamba } from "./jamba.js";
import { jsonAction } from "./json-action.js";
import { jsonList } from "./json-list.js";
import { k2Horizon } from "./k2-horizon.js";
import { kimiK2 } from "./kimi-k2.js";
import { kimiK3 } from "./kimi-k3.js";
import { laic } from "./laic.js";
import { lfm2 } from "./lfm2.js";
import { llama3Json } from "./llama3-json.js";
import { longcat } from "./longcat.js";
import { mimoV2 } from "./mimo-v2.js";
import { minicpm3 } from "./minicpm3.js";
import { minicpm5 } from "./minicpm5.js";
import { minimaxM1 } from "./minimax-m1.js";
import { minimaxM2 } from "./minimax-m2.js";
import { minimaxM3 } from "./minimax-m3.js";
import { mirothinker } from "./mirothinker.js";
import { mistral, mistralList } from "./mistral.js";
import { muse } from "./muse.js";
import { nemotronV2 } from "./nemotron-v2.js";
import { olmo3 } from "./olmo3.js";
import { pangu } from "./pangu.js";
import { panguV2 } from "./pangu-v2.js";
import { phi4Mini } from "./phi4-mini.js";
import { plamo3 } from "./plamo3.js";
import { pythonic } from "./pythonic.js";
import { qwenAgent } from "./qwen-agent.js";
import { qwen3Coder } from "./qwen3-coder.js";
import { react } from "./react.js";
import { seedOss } from "./seed-oss.js";
import { solarOpen } from "./solar-open.js";
import { solarOpen2 } from "./solar-open2.js";
import { step3 } from "./step3.js";
import { toolTags } from "./tool-tags.js";
import { xml } from "./xml.js";
import { yaml } from "./yaml.js";
import { yandex } from "./yandex.js";

/**
 * Every wire format, by name. A new one is a new file and a line here.
 *
 * @example protocols.hermes.renderCalls([{ name: "now", arguments: {} }], { tools: [] }); // '<tool_call>\n{"name": "now", …'
 */
export const protocols = {
  hermes,
  xml,
  "am-xml": amXml(),
  laic: laic(),
  "tool-tags": toolTags,
  "json-action": jsonAction(),
  "at-command": atCommand,
  react,
  yaml,
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
  "deepseek-v41": deepseekV41,
  glm45,
  glm4,
  "kimi-k2": kimiK2,
  "kimi-k3": kimiK3,
  granite,
  granite4,
  "granite-20b": granite20b,
  "phi4-mini": phi4Mini,
  clova,
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
  minicpm3,
  minicpm5,
  gigachat3,
  dots,
  "nemotron-v2": nemotronV2,
  harmony,
  muse,
  apriel,
  ernie,
  yandex,
  doubao,
  "qwen-agent": qwenAgent,
  "solar-open": solarOpen,
  "solar-open2": solarOpen2,
  gigachat35,
  "hunyuan-v4": hunyuanV4,
  pangu,
  "pangu-v2": panguV2,
  "minimax-m1": minimaxM1,
  "minimax-m3": minimaxM3,
  "mimo-v2": mimoV2,
  exaone4,
  mirothinker,
  inkling,
  "k2-horizon": k2Horizon,
  plamo3,
  "iquest-coder": iquestCoder,
} as const satisfies Record<string, Protocol>;

/** All of them in one frozen list, so that compiled results can be cached by it. */
export const everyProtocol: readonly Protocol[] = Object.freeze(Object.values<Protocol>(protocols));

/** The name of a registered wire format. */
export type ProtocolName = keyof typeof protocols;

/**
 * The protocol with a name; a protocol object is returned unchanged.
 *
 * Errors: `ProtocolError` with code `unknown-protocol`, also for a value that is neither, and for `auto`, which only the
 * reading of a reply takes.
 *
 * @example getProtocol("hermes").renderCalls([{ name: "now", arguments: {} }], { tools: [] });
 */
export function getProtocol(protocol: ProtocolName | Protocol): Protocol {
  if ((protocol as unknown) !== "auto") return protocolIn(protocols, protocol);
  throw new ProtocolError(
    "unknown-protocol",
    'There is no protocol "auto" here: only reading a reply takes it (`parseReply`, `createReplyParser`), for any format. ' +
      "Leave `protocol` out where it is optional, or give `protocolForModel(id)`, the model's own.",
  );
}

/**
 * The wire format for a model: the one that it was trained on, from its id in the spelling of any registry; `xml` where
 * none is known, such as for a misspelt id. {@link knownProtocol} is then `undefined`.
 *
 * Errors: `OptionsError` (`bad-option`) for an id that is not a string.
 *
 * @example protocolForModel("qwen2.5:7b-instruct-q4_K_M"); // "hermes"
 */
export const protocolForModel = (modelId: string): ProtocolName => knownProtocol(modelId) ?? "xml";

/**
 * The wire format that a model was trained on, from its id in the spelling of any registry; `undefined` where none is known:
 * {@link protocolForModel} then chooses `xml`.
 *
 * Errors: `OptionsError` (`bad-option`) for an id that is not a string.
 *
 * @example [knownProtocol("qwen3:8b"), knownProtocol("gemma3:12b"), knownProtocol("qwne3")]; // [ "hermes", undefined, undefined ]
 */
export function knownProtocol(modelId: string): ProtocolName | undefined {
  return familyProtocol(modelId);
}
