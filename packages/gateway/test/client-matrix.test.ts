import { describe, expect, it } from "vitest";
import { expectTable } from "../../../test/support/readme-table.js";
import { type Answer, delta, event, reply, stream } from "../../endpoints/test/support/scripted-server.js";
import gatewayPackage from "../package.json" with { type: "json" };
import { aiSdkClients } from "./support/clients/ai-sdk.js";
import { anthropicClients } from "./support/clients/anthropic.js";
import type { Asking, Client, Got } from "./support/clients/client.js";
import { langchainClients } from "./support/clients/langchain.js";
import { openaiClients } from "./support/clients/openai.js";
import { openaiAgentsClients } from "./support/clients/openai-agents.js";
import { call, gatewayBefore, pieces, promptOf } from "./support/gateway.js";

// Every client against everything that a turn can be, whole and streamed. What passed is the table in docs/gateway-clients.md.

const clients: Client[] = [
  ...openaiClients,
  ...anthropicClients,
  ...aiSdkClients,
  ...langchainClients,
  ...openaiAgentsClients,
];
const devDependencies: Record<string, string> = gatewayPackage.devDependencies;
const oslo = { name: "get_weather", input: { city: "Oslo" } };
const rome = { name: "get_weather", input: { city: "Rome" } };
const cold = () => stream(reply("It is ", "3 degrees."));
const says = (text: string) => stream(reply(...pieces(text)));

const gone = event({ error: { message: "The GPU is gone." } });

type Ask = (url: string, more?: Partial<Asking>) => Promise<Got>;
const cases: Record<string, (ask: Ask, way: { isStream: boolean; reasoning: boolean }) => Promise<void>> = {
  "one call": async (ask) => {
    const { url, upstream } = await gatewayBefore([says(`I look.\n${call({ city: "Oslo" })}`), cold()]);
    const { calls, text } = await ask(url);
    expect({ calls, text }).toEqual({ calls: [oslo], text: expect.stringMatching(/^I look\.\s*It is 3 degrees\.$/) });
    for (const part of ["I look.", "3 degrees in Oslo"]) expect(promptOf(upstream.requests[1]!)).toContain(part);
  },

  "parallel calls": async (ask) => {
    const { url, upstream } = await gatewayBefore([says(call({ city: "Oslo" }) + call({ city: "Rome" })), cold()]);
    const { calls, text } = await ask(url);
    expect({ calls, text }).toEqual({ calls: [oslo, rome], text: "It is 3 degrees." });
    for (const part of ["3 degrees in Oslo", "3 degrees in Rome"])
      expect(promptOf(upstream.requests[1]!)).toContain(part);
  },

  "refused call": async (ask) => {
    const wrong = says(call({ city: "Oslo" }, "wether_report"));
    const { url, upstream } = await gatewayBefore([wrong, says(call({ city: "Oslo" })), cold()]);
    const { calls, text } = await ask(url);
    expect({ calls, text }).toEqual({ calls: [oslo], text: "It is 3 degrees." });
    expect(promptOf(upstream.requests[1]!)).toContain("wether_report");
    expect(upstream.requests).toHaveLength(3);
  },

  "streamed arguments": async (ask, { isStream }) => {
    const city = "Llanfairpwllgwyngyll";
    let go = () => {};
    const seen = new Promise<void>((resolve) => {
      go = resolve;
    });
    const waiting: Answer = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(delta(`<tool_call>\n{"name": "get_weather", "arguments": {"city": "${city.repeat(10)}`));
      // A client that is asked for a stream gives the beginning of a call, or this never ends.
      if (isStream) await seen;
      response.end(reply('"}}\n</tool_call>').join(""));
    };
    const { url } = await gatewayBefore([waiting, cold()]);
    let read = "";
    const onPiece = (piece: string) => {
      read += piece;
      if (read.includes(city)) go();
    };
    const { calls } = await ask(url, { onPiece });
    expect(calls).toEqual([{ name: "get_weather", input: { city: city.repeat(10) } }]);
  },

  "no call": async (ask) => {
    const { url } = await gatewayBefore([cold()]);
    expect(await ask(url)).toEqual({ calls: [], text: "It is 3 degrees.", reasoning: "" });
  },

  reasoning: async (ask, { reasoning }) => {
    const { url } = await gatewayBefore([
      stream([delta({ reasoning_content: "Which " }), delta({ reasoning_content: "city?" }), ...reply("It is Oslo.")]),
    ]);
    const got = await ask(url);
    expect(got).toMatchObject({ calls: [], text: "It is Oslo." });
    expect(got.reasoning).toEqual(reasoning ? expect.stringContaining("Which city?") : "");
  },

  "empty arguments": async (ask) => {
    const { url } = await gatewayBefore([says(call({}, "now")), cold()]);
    const { calls, text } = await ask(url);
    expect({ calls, text }).toEqual({ calls: [{ name: "now", input: {} }], text: "It is 3 degrees." });
  },

  "error in a text": async (ask) => {
    const { url } = await gatewayBefore([stream([delta("It is "), gone])]);
    await expect(ask(url)).rejects.toThrow(/The GPU is gone/);
  },

  "error in a call": async (ask) => {
    const begun = delta('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Os');
    const { url, upstream } = await gatewayBefore([stream([begun, gone])]);
    await expect(ask(url)).rejects.toThrow(/The GPU is gone/);
    // A client that took the half call for a whole one had asked with its result.
    expect(upstream.requests).toHaveLength(1);
  },

  abort: async (ask, { isStream }) => {
    const { url, upstream } = await gatewayBefore([stream([delta("It is ")], { end: false })]);
    const stop = new AbortController();
    const onPiece = (piece: string) => {
      if (piece !== "") stop.abort();
    };
    const asked = ask(url, { signal: stop.signal, onPiece }).catch((error: unknown) => error);
    if (!isStream) {
      await expect.poll(() => upstream.requests.length, { timeout: 60_000 }).toBe(1);
      stop.abort();
    }
    expect(await asked).toBeInstanceOf(Error);
    expect(await upstream.requests[0]!.closed).toBe("aborted");
  },
};

const ways = [
  { way: "whole", isStream: false },
  { way: "streamed", isStream: true },
];
/** The ways that passed, by client and case. */
const passed = new Map(clients.map((client) => [client, new Map<string, string[]>()]));

describe.each(clients)("$package over $api", (client) => {
  it.each(Object.keys(cases).flatMap((title) => ways.map((one) => ({ title, ...one }))))(
    "$title, $way",
    async ({ title, way, isStream }) => {
      const { signal } = new AbortController();
      const ask: Ask = (url, more) => client.ask({ url, stream: isStream, signal, ...more });
      await cases[title]!(ask, { isStream, reasoning: client.reasoning ?? true });
      const of = passed.get(client)!;
      of.set(title, [...(of.get(title) ?? []), way]);
    },
  );
});

it("the table of docs/gateway-clients.md shows the passed tests", () => {
  const cell = (client: Client, title: string) => {
    const by = passed.get(client)!.get(title) ?? [];
    if (title === "reasoning" && client.reasoning === false && by.length > 0) return "not shown";
    return by.length === ways.length ? "✓" : by.join() || "no";
  };
  const rows = clients.map((client) => {
    const version = devDependencies[client.package];
    const name = `${client.of ? `${client.of}, ` : ""}\`${client.package}\` ${version}`;
    return [name, client.api, ...Object.keys(cases).map((title) => cell(client, title))];
  });
  expectTable(
    new URL("../../../docs/gateway-clients.md", import.meta.url),
    [["client", "API", ...Object.keys(cases)], ...rows],
    {
      command: "TOOLINGUA_WRITE=1 npx vitest run packages/gateway/test/client-matrix.test.ts",
    },
  );
});
