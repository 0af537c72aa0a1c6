import type { GatewayConfig, GatewayModelConfig } from "@toolingua/gateway";
import { stringify } from "yaml";
import { printableLine } from "../terminal/printable.js";
import type { Setting } from "./candidates.js";
import type { CandidateResult } from "./results.js";

/** What a recommendation is for. */
export interface Target {
  model: string;
  /** Undefined: a model in this process. */
  baseURL?: string | undefined;
  /** Whether the server wants a key. It is never written down. */
  withKey: boolean;
  setting: Setting;
}

/** The environment variable that a configuration takes the server's key from. */
const KEY = "UPSTREAM_KEY";
/** One that nobody sets. */
const NOT_SET = "TOOLINGUA_NOT_SET";

/**
 * The winner as a configuration of `toolingua serve`, in YAML.
 *
 * @param about lines for its head, such as what was measured
 * @example await writeFile("toolingua.yaml", serveConfig(target, winner, ["hermes: 19 of 20 right"]));
 */
export function serveConfig(target: Target, { candidate }: CandidateResult, about: readonly string[]): string {
  const { model, baseURL, withKey, setting } = target;
  const { backend, style } = setting;
  const config: GatewayModelConfig = {
    name: literal(model),
    ...(baseURL === undefined
      ? { embedded: literal(model) }
      : { upstream: { url: baseURL, ...(withKey && { key: `\${${KEY}}` }) } }),
    ...(backend !== undefined && backend !== "embedded" && { backend }),
    protocol: candidate.protocol,
    ...(style !== "native" && { style }),
    ...(candidate.held && { constraint: "auto" }),
    ...(candidate.fields && { fields: candidate.fields }),
  };
  const head = about.map((line) => `# ${printableLine(line)}\n`);
  return head.join("") + stringify({ models: [config] } satisfies GatewayConfig, { lineWidth: 0 });
}

/**
 * A text that the configuration gives as it is: a server that names its model `${SECRET}` is not sent that variable. In the place of
 * a variable that is not set stands `$`, and what was put in is not read again.
 */
const literal = (text: string) => text.replaceAll("${", `\${${NOT_SET}:-$}{`);

/**
 * The winner as one line of code: a turn by `generateWithTools`, given `messages` and `tools`.
 *
 * @example codeLine(target, winner);
 * // 'generateWithTools({ model: chatEndpoint({ baseURL: "http://localhost:8080/v1", … }), protocol: "hermes", messages, tools })'
 */
export function codeLine({ model, baseURL, withKey, setting }: Target, { candidate }: CandidateResult): string {
  const { backend, style, toolChoice } = setting;
  const held = candidate.held ? [`constraint: "auto"`] : [];
  const form = held.length > 0 && (backend === "openai" || backend === "ollama") ? [`backend: "openai"`] : [];
  const continues = backend !== undefined && backend !== "openai";
  const parts = [
    `model: ${baseURL === undefined ? inProcess(model) : endpoint(model, baseURL, withKey, backend)}`,
    `protocol: ${JSON.stringify(candidate.protocol)}`,
    ...(style === "native" ? [] : [`style: ${JSON.stringify(style)}`]),
    ...(toolChoice === "auto" ? [] : [`toolChoice: ${JSON.stringify(toolChoice)}`]),
    ...[...held, ...form],
    ...(continues ? [] : ["prefill: false"]),
    ...(candidate.fields ? [`fields: ${JSON.stringify(candidate.fields)}`] : []),
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
