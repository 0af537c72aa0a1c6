import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { type Answer, scriptedServer } from "../../../endpoints/test/support/scripted-server.js";
import { type GatewayConfig, type GatewayModelConfig, type GatewayOptions, serve } from "../../src/index.js";

/** How a gateway of a test is set up. */
export interface Options {
  model?: Partial<GatewayModelConfig>;
  server?: GatewayConfig["server"];
  key?: string;
  log?: GatewayOptions["log"];
  admin?: boolean;
  telemetry?: GatewayConfig["telemetry"];
}

/** A gateway on loopback before a server that gives these answers, with clients for it. Both are closed when the test ends. */
export async function gatewayBefore(
  answers: Answer[],
  { model, server, key = "none", log, admin, telemetry }: Options = {},
) {
  const upstream = await scriptedServer(...answers);
  const config: GatewayConfig = {
    models: [{ name: "m", protocol: "hermes", upstream: { baseURL: upstream.baseURL }, ...model }],
    server: { port: 0, ...server },
    ...(admin && { admin }),
    ...(telemetry && { telemetry }),
  };
  const gateway = await serve(config, { log });
  onTestFinished(() => gateway.close());
  const openai = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return { upstream, gateway, url: gateway.url, openai, anthropic, post };
}

/** The text that the model was sent in a request. */
export const promptOf = ({ body }: { body: Record<string, unknown> }): string =>
  (body.messages as { content: string }[]).map(({ content }) => content).join("\n");

/** A call as a model writes it in the Hermes format. */
export const call = (args: unknown, name = "get_weather") =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

/** The JSON Schema of the tool in the tests. */
export const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};

/** Text in small pieces, as a model writes it. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,6}/g) ?? [];

/** The events of a stream as they are written: `event`, and `data` as JSON. */
export function eventsIn(text: string): { event?: string; data: unknown }[] {
  return text
    .split("\n\n")
    .filter((block) => block.includes("data: "))
    .map((block) => {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)![1]!;
      return { ...(event && { event }), data: data === "[DONE]" ? data : JSON.parse(data) };
    });
}
