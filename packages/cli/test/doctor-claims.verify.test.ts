import { describe, expect, test } from "vitest";
import { aiSdkClients } from "../../gateway/test/support/clients/ai-sdk.js";
import { anthropicClients } from "../../gateway/test/support/clients/anthropic.js";
import type { Client } from "../../gateway/test/support/clients/client.js";
import { langchainClients } from "../../gateway/test/support/clients/langchain.js";
import { openaiClients } from "../../gateway/test/support/clients/openai.js";
import { openaiAgentsClients } from "../../gateway/test/support/clients/openai-agents.js";
import type { ApiName, ClientName } from "../src/doctor/clients.js";
import { examine } from "../src/doctor/examine.js";
import { breakages } from "./support/doctor/breakages.js";
import { brokenServer } from "./support/doctor/broken-server.js";

// What the doctor says of clients, compared with the clients: each that it says breaks does, and no other.

const apis: Record<Client["api"], ApiName> = {
  "Chat Completions": "chat",
  Responses: "responses",
  Messages: "messages",
};
const real: [ClientName, Client[]][] = [
  ["openai-sdk", openaiClients],
  ["anthropic-sdk", anthropicClients],
  ["ai-sdk", aiSdkClients],
  ["langchain", langchainClients],
  ["openai-agents", openaiAgentsClients],
];

/** How a client breaks at a server; `undefined` where it gets the call and the answer. */
async function breakOf(client: Client, url: string, stream: boolean): Promise<string | undefined> {
  try {
    const { calls, text } = await client.ask({ url, stream, signal: AbortSignal.timeout(5000) });
    const [call, ...more] = calls;
    if (!call || more.length > 0) return `${calls.length} calls`;
    if (JSON.stringify(call) !== '{"name":"get_weather","input":{"city":"Oslo"}}') return JSON.stringify(call);
    return text.includes("3 degrees") ? undefined : `the text "${text}"`;
  } catch (error) {
    return String(error instanceof Error ? error.message : error).slice(0, 100);
  }
}

describe.each(breakages.filter(({ asked }) => asked))("$title ($api)", ({ breaking, api, asked }) => {
  test("breaks the clients that the doctor names, and no other", async () => {
    const url = await brokenServer(breaking);
    const report = await examine({
      ...{ url, apis: [api], maxTokens: 256, timeout: 5000, patience: 300, signal: new AbortController().signal },
    });
    // By what is only a warning no client may lose a call or its answer.
    const said = report.checks
      .filter(({ status }) => status === "fault")
      .flatMap(({ breaks }) => breaks.map(({ client }) => client));
    const seen: Partial<Record<ClientName, string>> = {};
    const among: ClientName[] = [];
    for (const [name, clients] of real)
      for (const client of clients.filter((one) => apis[one.api] === api)) {
        among.push(name);
        const how = await breakOf(client, url, asked === "stream");
        if (how !== undefined) seen[name] = how;
      }
    const claimed = among.filter((name) => said.includes(name));
    expect(Object.keys(seen).sort(), JSON.stringify(seen)).toEqual(claimed.sort());
  });
});
