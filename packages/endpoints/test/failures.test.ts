import { createServer } from "node:net";
import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { TextModelChunk } from "@toolingua/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as browser from "../src/browser.js";
import * as node from "../src/index.js";
import { chatEndpoint, EndpointError } from "../src/index.js";
import { collect, failure, messages } from "./support/collect.js";
import { delta, reply, scriptedServer, status, stream } from "./support/scripted-server.js";

const now = { delay: 0 };

// The same on both ways to make requests.
describe.each([
  ["undici", node.chatEndpoint],
  ["fetch", browser.chatEndpoint],
])("over %s", (_, chatEndpoint) => {
  test("an error response has its status and the server's own message", async () => {
    const body = { error: { message: "The model `m` does not exist.", code: "model_not_found" } };
    const { baseURL } = await scriptedServer(status(404, body));
    const error = await failure(chatEndpoint({ baseURL, model: "m" })({ messages }));
    expect(error).toBeInstanceOf(EndpointError);
    expect(error).toMatchObject({
      code: "http",
      status: 404,
      body: JSON.stringify(body),
      message: `${baseURL}/chat/completions answered 404: The model \`m\` does not exist.`,
    });
  });

  test("a function `apiKey` that hangs ends at the total timeout, and with the caller's signal", async () => {
    const { baseURL } = await scriptedServer();
    const apiKey = () => new Promise<string>(() => {});
    const late = await failure(chatEndpoint({ baseURL, model: "m", apiKey, timeout: { total: 30 } })({ messages }));
    expect(late).toMatchObject({ name: "EndpointError", code: "timeout" });
    const signal = AbortSignal.timeout(30);
    const aborted = await failure(chatEndpoint({ baseURL, model: "m", apiKey })({ messages, signal }));
    expect(aborted).toBe(signal.reason);
  });

  test("an error of a function `apiKey` is the cause of an EndpointError, and nothing is sent", async () => {
    const { baseURL } = await scriptedServer();
    for (const apiKey of [
      () => Promise.reject(new Error("The vault is sealed.")),
      () => {
        throw new Error("The vault is sealed.");
      },
    ]) {
      const error = await failure(chatEndpoint({ baseURL, model: "m", apiKey })({ messages }));
      expect(error).toBeInstanceOf(EndpointError);
      expect(error).toMatchObject({ code: "api-key", message: expect.stringMatching(/vault is sealed/) });
      expect((error as Error).cause).toMatchObject({ message: "The vault is sealed." });
    }
  });

  test.each([
    [{ error: "words of Ollama" }],
    [{ detail: "words of FastAPI" }],
    [{ message: "words of others" }],
    ["words without JSON"],
  ])("the message is found in %j", async (body) => {
    const { baseURL } = await scriptedServer(status(400, body));
    expect(await failure(chatEndpoint({ baseURL, model: "m" })({ messages }))).toMatchObject({
      message: expect.stringContaining(": words "),
    });
  });

  test("an unreachable server", async () => {
    const baseURL = `http://127.0.0.1:${await freePort()}/v1`;
    const error = await failure(
      chatEndpoint({ baseURL, model: "m", retries: { attempts: 1, delay: 0 } })({ messages }),
    );
    expect(error).toMatchObject({
      code: "connect",
      message: expect.stringMatching(/ECONNREFUSED.*Is the server running\?/),
    });
  });

  describe("is tried again before the first byte", () => {
    test.each([429, 500, 502, 503])("after %i", async (code) => {
      const { baseURL, requests } = await scriptedServer(status(code), stream(reply("Yes")));
      expect((await collect(chatEndpoint({ baseURL, model: "m", retries: now })({ messages }))).text).toBe("Yes");
      expect(requests).toHaveLength(2);
    });

    test("after a connection that broke", async () => {
      const { baseURL, requests } = await scriptedServer((response) => response.destroy(), stream(reply("Yes")));
      expect((await collect(chatEndpoint({ baseURL, model: "m", retries: now })({ messages }))).text).toBe("Yes");
      expect(requests).toHaveLength(2);
    });

    test("after headers without a byte of the body", async () => {
      const { baseURL } = await scriptedServer(
        async (response) => {
          await stream([], { end: false })(response, undefined as never);
          setTimeout(() => response.destroy(), 20);
        },
        stream(reply("Yes")),
      );
      expect((await collect(chatEndpoint({ baseURL, model: "m", retries: now })({ messages }))).text).toBe("Yes");
    });

    test("as often as the option says", async () => {
      const { baseURL, requests } = await scriptedServer(status(503, { error: "busy" }));
      const model = chatEndpoint({ baseURL, model: "m", retries: { attempts: 3, delay: 0 } });
      expect(await failure(model({ messages }))).toMatchObject({ code: "http", status: 503 });
      expect(requests).toHaveLength(4);
    });

    test("but not after a permanent error", async () => {
      for (const code of [400, 401, 403, 404, 501]) {
        const { baseURL, requests } = await scriptedServer(status(code));
        expect(await failure(chatEndpoint({ baseURL, model: "m", retries: now })({ messages }))).toMatchObject({
          status: code,
        });
        expect(requests).toHaveLength(1);
      }
    });

    test("but not after the first byte", async () => {
      const { baseURL, requests } = await scriptedServer(async (response) => {
        await stream([": ping\n\n"], { end: false })(response, undefined as never);
        setTimeout(() => response.destroy(), 20);
      });
      expect(await failure(chatEndpoint({ baseURL, model: "m", retries: now })({ messages }))).toMatchObject({
        code: "cut-off",
      });
      expect(requests).toHaveLength(1);
    });
  });

  describe("a timeout or abort", () => {
    const silent = stream([delta("It is")], { end: false });

    test("no bytes arrive for too long", async () => {
      const { baseURL, requests } = await scriptedServer(silent);
      const error = await failure(chatEndpoint({ baseURL, model: "m", timeout: { idle: 1000 } })({ messages }));
      expect(error).toMatchObject({ code: "idle-timeout", partialText: "It is" });
      expect(await requests[0]!.closed).toBe("aborted");
    });

    test("no bytes arrive for too long, during garbage collection", async () => {
      setFlagsFromString("--expose-gc");
      const collecting = setInterval(runInNewContext("gc"), 100);
      onTestFinished(() => clearInterval(collecting));
      const { baseURL, requests } = await scriptedServer(silent);
      const error = await failure(chatEndpoint({ baseURL, model: "m", timeout: { idle: 1000 } })({ messages }));
      expect(error).toMatchObject({ code: "idle-timeout", partialText: "It is" });
      expect(await requests[0]!.closed).toBe("aborted");
      const waiting = await scriptedServer(() => {});
      const none = chatEndpoint({ baseURL: waiting.baseURL, model: "m", timeout: { idle: 1000 }, retries: now });
      expect(await failure(none({ messages }))).toMatchObject({ code: "idle-timeout" });
    });

    test("no answer at all", async () => {
      const { baseURL, requests } = await scriptedServer(() => {});
      const error = await failure(
        chatEndpoint({ baseURL, model: "m", timeout: { idle: 1000 }, retries: now })({ messages }),
      );
      expect(error).toMatchObject({ code: "idle-timeout" });
      expect(requests).toHaveLength(1);
    });

    test("the whole call takes too long, although bytes arrive", async () => {
      const { baseURL, requests } = await scriptedServer(async (response, request) => {
        await silent(response, request);
        const timer = setInterval(() => response.write(": ping\n\n"), 5);
        response.on("close", () => clearInterval(timer));
      });
      const error = await failure(
        chatEndpoint({ baseURL, model: "m", timeout: { total: 1500, idle: 60_000 } })({ messages }),
      );
      expect(error).toMatchObject({ code: "timeout", partialText: "It is" });
      expect(await requests[0]!.closed).toBe("aborted");
    });

    test("the whole call has no time for a retry: the error is the server's, at once", async () => {
      const loading = { error: { message: "Loading the model." } };
      const { baseURL, requests } = await scriptedServer(status(503, loading, { "retry-after": "50" }));
      const options = { timeout: { total: 40_000 } };
      expect(await failure(chatEndpoint({ baseURL, model: "m", ...options })({ messages }))).toMatchObject({
        code: "http",
        status: 503,
        retryAfterMs: 50_000,
        message: expect.stringContaining("Loading the model."),
      });
      expect(requests).toHaveLength(1);
    });

    test("a slow reader is not taken for a silent server", async () => {
      const { baseURL } = await scriptedServer(async (response, request) => {
        await stream([delta("one")], { end: false })(response, request);
        setTimeout(() => response.end(reply(" two").join("")), 10);
      });
      let text = "";
      for await (const chunk of chatEndpoint({ baseURL, model: "m", timeout: { idle: 1000 } })({ messages })) {
        if (typeof chunk !== "string") continue;
        text += chunk;
        await new Promise((resolve) => setTimeout(resolve, 1200));
      }
      expect(text).toBe("one two");
    });

    test.each<[string, (chunks: AsyncIterable<TextModelChunk>, abort: () => void) => Promise<unknown>]>([
      ["an abort while it writes", async (chunks, abort) => failure(onText(chunks, abort))],
      [
        "a loop that is left",
        async (chunks) => {
          for await (const chunk of chunks) if (typeof chunk === "string") break;
        },
      ],
    ])("%s ends the request", async (name, use) => {
      const { baseURL, requests } = await scriptedServer(silent);
      const controller = new AbortController();
      const reason = new Error("enough");
      const chunks = chatEndpoint({ baseURL, model: "m" })({ messages, signal: controller.signal });
      const error = await use(chunks, () => controller.abort(reason));
      if (name.startsWith("an abort")) expect(error).toBe(reason);
      expect(await requests[0]!.closed).toBe("aborted");
    });

    test("an abort before the request, and during the wait for a retry", async () => {
      const { baseURL, requests } = await scriptedServer(status(503));
      const model = chatEndpoint({ baseURL, model: "m", retries: { delay: 60_000 } });
      const reason = new Error("enough");
      expect(await failure(model({ messages, signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect(requests).toHaveLength(0);
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 50);
      expect(await failure(model({ messages, signal: controller.signal }))).toBe(reason);
    });

    test("a signal that outlives many calls keeps no references to them", async () => {
      const { baseURL } = await scriptedServer(stream(reply("Yes")));
      const { signal } = new AbortController();
      const [add, remove] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
      for (let i = 0; i < 3; i++) await collect(chatEndpoint({ baseURL, model: "m" })({ messages, signal }));
      expect(add.mock.calls.length).toBeGreaterThan(0);
      expect(remove.mock.calls.length).toBe(add.mock.calls.length);
    });
  });

  test.each([
    ["an answer", status(401, { error: { message: "Incorrect API key provided: sk-very-secret, from team-secret" } })],
    ["a stream", stream([`data: {"error": "Key sk-very-secret of team-secret expired"}\n\n`])],
    ["a page", status(200, "<p>sk-very-secret is no key, nor is team-secret</p>")],
  ])("a key that %s repeats does not appear in an error", async (_name, answer) => {
    const { baseURL } = await scriptedServer(answer);
    const options = { baseURL, model: "m", apiKey: "sk-very-secret", headers: { "x-api-key": "team-secret" } };
    const error = await failure(chatEndpoint(options)({ messages }));
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/sk-very-secret|team-secret/);
    expect(error).toMatchObject({ body: expect.stringContaining("***") });
  });
});

describe("the server's retry delay", () => {
  /** The waits between tries of a call that is answered with these headers first. */
  async function wait(headers: Record<string, string>, retries: object = {}) {
    const answers = [new Response("slow down", { status: 429, headers }), new Response(reply("Yes").join(""))];
    const fetch = async () => answers.shift()!;
    const waits: number[] = [];
    const real = globalThis.setTimeout;
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms = 0, ...rest: []) => {
      waits.push(ms);
      // The others are the idle timeout, and those of connections that earlier tests left, which have arguments.
      return real(work, ms === 300_000 || rest.length > 0 ? ms : 0, ...rest);
    }) as typeof setTimeout);
    try {
      const model = node.chatEndpoint({ baseURL: "http://localhost/v1", model: "m", retries, fetch });
      return { waits, text: (await collect(model({ messages }))).text };
    } catch (error) {
      return { waits, error };
    } finally {
      spy.mockRestore();
    }
  }

  test("in seconds", async () => {
    expect((await wait({ "retry-after": "7" })).waits).toContain(7000);
  });

  test("as a date", async () => {
    const { waits } = await wait({ "retry-after": new Date(Date.now() + 20_000).toUTCString() });
    expect(waits.some((ms) => ms > 15_000 && ms <= 20_000)).toBe(true);
  });

  test("in milliseconds", async () => {
    expect((await wait({ "retry-after": "7", "retry-after-ms": "1234" })).waits).toContain(1234);
  });

  test("is not waited for if it is too long: the error reports it", async () => {
    expect((await wait({ "retry-after": "3600" })).error).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
  });

  test("is chosen here if the server sends none: half of the delay, and a random part of the other half", async () => {
    const { waits } = await wait({}, { delay: 8000 });
    expect(waits.some((ms) => ms >= 4000 && ms <= 8000)).toBe(true);
  });
});

test("a redirect is not followed, because keys would go with it: the error names its target", async () => {
  const { baseURL } = await scriptedServer(status(308, "", { location: "https://example.org/v1" }));
  const error = await failure(node.chatEndpoint({ baseURL, model: "m" })({ messages }));
  expect(error).toMatchObject({
    code: "http",
    status: 308,
    message: expect.stringContaining("https://example.org/v1"),
  });
});

test("a missing /v1 is suggested if nothing is found at an address", async () => {
  const { baseURL } = await scriptedServer(status(404, "not found"));
  const error = await failure(node.chatEndpoint({ baseURL: baseURL.replace("/v1", ""), model: "m" })({ messages }));
  expect(error).toMatchObject({ message: expect.stringContaining("/v1") });
});

test("a connection that is not established in time", async () => {
  // A socket that takes connections and says nothing: TLS never comes about.
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const options = { timeout: { connect: 1000 }, retries: { attempts: 0 } };
  const error = await failure(
    node.chatEndpoint({ baseURL: `https://127.0.0.1:${port}/v1`, model: "m", ...options })({ messages }),
  );
  server.close();
  expect(error).toMatchObject({ code: "connect-timeout" });
});

describe("connections are reused", () => {
  test("from call to call, and after errors", async () => {
    const server = await scriptedServer(stream(reply("Yes")), status(400, "no"), stream(reply("Yes")));
    const model = node.chatEndpoint({ baseURL: server.baseURL, model: "m" });
    for (let i = 0; i < 6; i++) await collect(model({ messages })).catch(() => {});
    expect(server.requests).toHaveLength(6);
    // undici makes a second one when a request follows before it has put the first one back.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });
});

const onText = async function* (chunks: AsyncIterable<TextModelChunk>, act: () => void) {
  for await (const chunk of chunks) {
    if (typeof chunk === "string") act();
    yield chunk;
  }
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("the query values of `baseURL` never appear in an error, even if the server repeats them", async () => {
  const key = "s3cret key/1";
  const said = `Bad key ${key} (${encodeURIComponent(key)})`;
  const { baseURL } = await scriptedServer(status(401, { error: { message: said } }));
  const url = `${baseURL}?api-key=${encodeURIComponent(key)}`;
  const error = await failure(chatEndpoint({ baseURL: url, model: "m" })({ messages }));
  expect(error).toMatchObject({ code: "http", body: expect.stringContaining("Bad key *** (***)") });
  expect((error as Error).message).toContain("Bad key *** (***)");
});
