import type { GatewayConfig, GatewayModelConfig } from "@toolingua/gateway";
import { stringify } from "yaml";
import { printableLine } from "../terminal/printable.js";
import { type Setting, turnOptionsOf } from "./candidates.js";
import type { CandidateResult } from "./results.js";

/** The model and server of a recommendation. */
export interface Target {
  model: string;
  /** Undefined: the model runs in this process. */
  baseURL?: string | undefined;
  /** Whether the server needs a key. The key itself is never written. */
  withKey: boolean;
  setting: Setting;
}

/** The environment variable for the server's key in the configuration. */
const KEY = "UPSTREAM_API_KEY";
/** A variable that is never set. */
const NOT_SET = "TOOLINGUA_NOT_SET";

/**
 * The winner as a configuration of `toolingua serve`, in YAML.
 *
 * @param about comment lines for the beginning, such as the results
 * @example await writeFile("toolingua.yaml", serveConfig(target, winner, ["hermes: 19 of 20 right"]));
 */
export function serveConfig(target: Target, { candidate }: CandidateResult, about: readonly string[]): string {
  const { model, baseURL, withKey, setting } = target;
  const { backend, style } = setting;
  const config: GatewayModelConfig = {
    name: literal(model),
    ...(baseURL === undefined
      ? { embedded: literal(model) }
      : { upstream: { baseURL, ...(withKey && { apiKey: `\${${KEY}}` }) } }),
    ...(backend !== undefined && backend !== "embedded" && { backend }),
    protocol: candidate.protocol,
    ...(style !== "native" && { style }),
    ...(candidate.constrained && { constraint: "auto" }),
  };
  const head = about.map((line) => `# ${printableLine(line)}\n`);
  return head.join("") + stringify({ models: [config] } satisfies GatewayConfig, { lineWidth: 0 });
}

/**
 * A text that the configuration must not substitute: a server that names its model `${SECRET}` must not receive that
 * variable. The default `$` of an unset variable replaces each `$`, and the result is not substituted again.
 */
const literal = (text: string) => text.replaceAll("${", `\${${NOT_SET}:-$}{`);

/**
 * The winner as one line of code: a call of `generateWithTools` with `messages` and `tools`.
 *
 * @example codeLine(target, winner);
 * // 'generateWithTools({ model: chatEndpoint({ baseURL: "http://localhost:8080/v1", … }), protocol: "hermes", messages, tools })'
 */
export function codeLine({ model, baseURL, withKey, setting }: Target, { candidate }: CandidateResult): string {
  const { backend, style, toolChoice } = setting;
  const constrained = candidate.constrained ? [`constraint: "auto"`] : [];
  const { backend: target, prefill } = turnOptionsOf(backend);
  const form = constrained.length > 0 && target ? [`backend: "${target}"`] : [];
  const parts = [
    `model: ${baseURL === undefined ? inProcess(model) : endpoint(model, baseURL, withKey, backend)}`,
    `protocol: ${JSON.stringify(candidate.protocol)}`,
    ...(style === "native" ? [] : [`style: ${JSON.stringify(style)}`]),
    ...(toolChoice === "auto" ? [] : [`toolChoice: ${JSON.stringify(toolChoice)}`]),
    ...[...constrained, ...form],
    ...(prefill ? [] : ["prefill: false"]),
    ...["messages", "tools"],
  ];
  return `generateWithTools({ ${parts.join(", ")} })`;
}

/** The engine of `@toolingua/llama-cpp`. */
const inProcess = (model: string) =>
  `await resolveModel(${JSON.stringify(model)}).then(({ path, chatTemplate }) => LlamaCppEngine.load({ modelPath: path, chatTemplate })).then((engine) => toTextModel(engine))`;

function endpoint(model: string, baseURL: string, withKey: boolean, backend: Setting["backend"]): string {
  const parts = [
    `baseURL: ${JSON.stringify(baseURL)}`,
    `model: ${JSON.stringify(model)}`,
    ...(withKey ? [`apiKey: process.env.${KEY}`] : []),
    ...(backend === undefined ? [] : [`backend: ${JSON.stringify(backend)}`]),
  ];
  return `chatEndpoint({ ${parts.join(", ")} })`;
}
