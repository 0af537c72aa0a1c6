import OpenAI from "openai";
import type { Response, ResponseCreateParamsNonStreaming } from "openai/resources/responses/responses";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Answer,
  delta,
  event,
  reply,
  scriptedServer,
  stream,
} from "../../endpoints/test/support/scripted-server.js";
import {
  createGateway,
  type GatewayConfig,
  type GatewayOptions,
  type ResponseStore,
  type StoredResponse,
  serve,
} from "../src/index.js";
import { call, parameters, promptOf } from "./support/gateway.js";

type Request = Omit<ResponseCreateParamsNonStreaming, "stream" | "model">;

const tools = [{ type: "function" as const, name: "get_weather", parameters, strict: false }];
const hello = stream(reply("Hello"));

/** A gateway that stores responses, with a client for each key. */
async function storing(answers: Answer[], config: Partial<GatewayConfig> = {}, options?: GatewayOptions) {
  const upstream = await scriptedServer(...answers);
  const models = [{ name: "m", protocol: "hermes" as const, upstream: { baseURL: upstream.baseURL } }];
  const whole: GatewayConfig = { models, store: {}, ...config, server: { port: 0, ...config.server } };
  const gateway = await serve(whole, options);
  onTestFinished(() => gateway.close());
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  return { upstream, gateway, config: whole, clientOf, openai: clientOf("none") };
}

const ways = [
  [
    "whole",
    (openai: OpenAI, request: Request): Promise<Response> => openai.responses.create({ model: "m", ...request }),
  ],
  [
    "streamed",
    (openai: OpenAI, request: Request): Promise<Response> =>
      openai.responses.stream({ model: "m", ...request } as never).finalResponse(),
  ],
] as const;
const ask = ways[0][1];
const idOf = ({ id }: Response) => id;

describe.each(ways)("stored responses, %s", (_, ask) => {
  it("are continued by their id, over calls and their results", async () => {
    const thinking = stream([
      event({ choices: [{ index: 0, delta: { reasoning_content: "The weather." } }] }),
      ...reply(call({ city: "Oslo" })),
    ]);
    const { openai, upstream } = await storing([thinking, stream(reply("It is sunny.")), stream(reply("Bye."))]);
    const first = await ask(openai, { input: "Weather in Oslo?", instructions: "Be brief.", tools });
    expect(first).toMatchObject({ store: true, previous_response_id: null });
    const made = first.output.find((item) => item.type === "function_call")!;
    const result = { type: "function_call_output" as const, call_id: made.call_id, output: "sunny, 20 degrees" };
    const second = await ask(openai, { previous_response_id: first.id, input: [result], tools });
    expect(second).toMatchObject({ output_text: "It is sunny.", previous_response_id: first.id });
    const third = await ask(openai, { previous_response_id: second.id, input: "Thanks" });
    expect(third.output_text).toBe("Bye.");
    const prompt = promptOf(upstream.requests[2]!);
    const order = ["Weather in Oslo?", '"city":', "sunny, 20 degrees", "It is sunny.", "Thanks"];
    const places = order.map((text) => prompt.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    // As with OpenAI: what is not carried over is given anew.
    expect(prompt).not.toContain("Be brief.");
  });

  it("can be read and deleted", async () => {
    const { openai } = await storing([hello]);
    const { output_text, ...made } = await ask(openai, { input: "Hi" });
    const read = await openai.responses.retrieve(made.id);
    // The SDK adds fields of its own to what it streams.
    expect(made).toMatchObject({ id: read.id, output: read.output, usage: read.usage });
    expect(read.output_text).toBe(output_text);
    await openai.responses.delete(made.id);
    const gone = { status: 404, code: "response_not_found" };
    await expect(openai.responses.retrieve(made.id)).rejects.toMatchObject(gone);
    await expect(openai.responses.delete(made.id)).rejects.toMatchObject(gone);
  });

  it("list the items of their input, a page at a time", async () => {
    const { openai } = await storing([hello]);
    const first = await ask(openai, { input: "One" });
    const call = { type: "function_call" as const, call_id: "c1", name: "get_weather", arguments: "{}" };
    const result = { type: "function_call_output" as const, call_id: "c1", output: "Sun" };
    const { id } = await ask(openai, { input: [call, result], previous_response_id: first.id });
    const page = await openai.responses.inputItems.list(id);
    expect(page.data).toMatchObject([
      { ...result, id: expect.any(String) },
      { ...call, id: expect.any(String) },
      { type: "message", role: "assistant", id: first.output[0]!.id },
      { type: "message", role: "user", content: [{ type: "input_text", text: "One" }], id: expect.any(String) },
    ]);
    expect(page.has_more).toBe(false);
    const ids = page.data.map((item) => item.id);
    const paged: unknown[] = [];
    for await (const item of openai.responses.inputItems.list(id, { order: "asc", limit: 1 })) paged.push(item.id);
    expect(paged).toEqual(ids.toReversed());
    const after = await openai.responses.inputItems.list(id, { after: ids[1]!, limit: 1 });
    expect([after.data.map((item) => item.id), after.has_more]).toEqual([[ids[2]], true]);
    for (const wrong of [{ limit: 0 }, { limit: 101 }, { order: "up" as "asc" }, { after: "none" }])
      await expect(openai.responses.inputItems.list(id, wrong)).rejects.toMatchObject({
        status: 400,
        param: Object.keys(wrong)[0],
      });
    await expect(openai.responses.inputItems.list("none")).rejects.toMatchObject({ status: 404 });
  });

  it("exclude those that the client does not want stored", async () => {
    const { openai } = await storing([hello]);
    const kept = await ask(openai, { input: "Hi", store: false });
    expect(kept).toMatchObject({ store: false });
    await expect(openai.responses.retrieve(kept.id)).rejects.toMatchObject({ status: 404 });
    await expect(ask(openai, { input: "Hi", previous_response_id: kept.id })).rejects.toMatchObject({
      status: 400,
      code: "previous_response_not_found",
      param: "previous_response_id",
    });
    const first = await ask(openai, { input: "Hi" });
    const unkept = await ask(openai, { input: "And?", previous_response_id: first.id, store: false });
    expect(unkept.output_text).toBe("Hello");
  });

  it("can be continued more than once", async () => {
    const { openai, upstream } = await storing([hello]);
    const first = await ask(openai, { input: "Hi" });
    for (const input of ["Left", "Right"]) await ask(openai, { input, previous_response_id: first.id });
    expect(promptOf(upstream.requests[2]!)).not.toContain("Left");
  });
});

describe("a store", () => {
  it("separates tenants", async () => {
    const keys = [
      { name: "a", key: "sk-a" },
      { name: "b", key: "sk-b" },
    ];
    const { clientOf, gateway } = await storing([hello], { server: { keys } });
    const [a, b] = [clientOf("sk-a"), clientOf("sk-b")];
    const { id } = await ask(a, { input: "Hi" });
    const unknown = await b.responses.retrieve("resp_none").catch((error: Error) => error.message);
    await expect(b.responses.retrieve(id)).rejects.toThrow(String(unknown).replace("resp_none", id));
    await expect(b.responses.delete(id)).rejects.toMatchObject({ status: 404 });
    await expect(ask(b, { input: "Hi", previous_response_id: id })).rejects.toMatchObject({ status: 400 });
    expect((await a.responses.retrieve(id)).id).toBe(id);
    expect((await fetch(`${gateway.url}/v1/responses/${id}`)).status).toBe(401);
    expect((await fetch(`${gateway.url}/v1/responses/${id}`, { method: "DELETE" })).status).toBe(401);
  });

  it("separates tenants also if it ignores the owner", async () => {
    const stored = new Map<string, StoredResponse>();
    const store: ResponseStore = {
      get: async (id) => stored.get(id),
      put: async (response) => void stored.set(response.id, response),
      delete: async (id) => void stored.delete(id),
    };
    const keys = [
      { name: "a", key: "sk-a" },
      { name: "b", key: "sk-b" },
    ];
    const { clientOf } = await storing([hello], { server: { keys } }, { store });
    const [a, b] = [clientOf("sk-a"), clientOf("sk-b")];
    const { id } = await ask(a, { input: "Hi" });
    await expect(b.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(b.responses.delete(id)).rejects.toMatchObject({ status: 404 });
    await expect(ask(b, { input: "Hi", previous_response_id: id })).rejects.toMatchObject({ status: 400 });
    expect((await a.responses.retrieve(id)).id).toBe(id);
  });

  it("does not store failed responses", async () => {
    const broken = stream([delta("Half")]);
    const { openai, gateway } = await storing([broken]);
    const ids: string[] = [];
    const events = await openai.responses.create({ model: "m", input: "Hi", stream: true });
    const read = async () => {
      for await (const one of events) if (one.type === "response.created") ids.push(idOf(one.response));
    };
    await expect(read()).rejects.toThrow("The stream ended in the middle of the reply");
    expect((await fetch(`${gateway.url}/v1/responses/${ids[0]}`)).status).toBe(404);
  });

  it("limits the characters in total, and the lifetime of each response", async () => {
    const { openai } = await storing([hello], { store: { size: 5000 } });
    const first = await ask(openai, { input: "Hi" });
    const last = await ask(openai, { input: "x".repeat(3000) });
    await expect(openai.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    expect((await openai.responses.retrieve(last.id)).id).toBe(last.id);
    const short = await storing([hello], { store: { ttl: 0.001 } });
    const { id } = await ask(short.openai, { input: "Hi" });
    await new Promise((resolve) => setTimeout(resolve, 10));
    await expect(short.openai.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it("survives a reload of the configuration", async () => {
    const { openai, gateway, config } = await storing([hello]);
    const { id } = await ask(openai, { input: "Hi" });
    gateway.reload({ ...config });
    expect((await openai.responses.retrieve(id)).id).toBe(id);
    gateway.reload({ models: config.models });
    await expect(openai.responses.retrieve(id)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("The gateway has no `store`"),
    });
  });

  it("can be the application's own, and its errors fail the request", async () => {
    const kept = new Map<string, string>();
    let isDown = false;
    const store: ResponseStore = {
      get: async (id) => (kept.has(id) ? (JSON.parse(kept.get(id)!) as StoredResponse) : undefined),
      put: async (stored) => {
        if (isDown) throw new Error("secret words of the store");
        kept.set(stored.id, JSON.stringify(stored));
      },
      delete: async (id) => void kept.delete(id),
    };
    const { openai } = await storing([hello], { store: undefined }, { store, log: () => {} });
    const first = await ask(openai, { input: "Hi" });
    await ask(openai, { input: "And?", previous_response_id: first.id });
    expect([...kept.values()].map((text) => JSON.parse(text))).toMatchObject([
      { id: first.id, owner: "", input: [{ role: "user", content: "Hi" }], response: { id: first.id } },
      { input: [{ content: "Hi" }, { type: "message" }, { content: "And?" }] },
    ]);
    isDown = true;
    const failure = await ask(openai, { input: "Hi" }).catch((error) => error);
    expect(failure.status).toBe(500);
    expect(failure.message).not.toContain("secret");
    const events = await openai.responses.create({ model: "m", input: "Hi", stream: true });
    const types: string[] = [];
    const read = async () => {
      for await (const { type } of events) types.push(type);
    };
    await expect(read()).rejects.toThrow("The gateway failed.");
    expect(types).not.toContain("response.completed");
  });

  it("is checked, and so are ids and the requests with them", async () => {
    const models = [{ name: "m", upstream: { baseURL: "http://127.0.0.1:1/v1" } }];
    expect(() => createGateway({ models, store: { tl: 5 } } as never)).toThrow(/store\.tl: .*Did you mean "ttl"/);
    expect(() => createGateway({ models }, { store: { get() {} } } as never)).toThrow(
      /`store` is an object with the functions get, put and delete/,
    );
    const { openai, gateway } = await storing([hello]);
    for (const wrong of [{ previous_response_id: 5 }, { store: "yes" }])
      await expect(ask(openai, { input: "Hi", ...wrong } as never)).rejects.toMatchObject({ status: 400 });
    const { id } = await ask(openai, { input: "Hi" });
    expect((await fetch(`${gateway.url}/v1/responses/${id}?stream=true`)).status).toBe(400);
  });
});
