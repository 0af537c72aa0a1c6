import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { type Answer, DONE, delta, event, reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, gatewayBefore, parameters, pieces } from "./support/gateway.js";

const user = { role: "user", content: "What is the weather in Oslo?" };
/** The same request to each API, with a tool. */
const requests = [
  [
    "/v1/chat/completions",
    { messages: [user], tools: [{ type: "function", function: { name: "get_weather", parameters } }] },
  ],
  ["/v1/responses", { input: [user], tools: [{ type: "function", name: "get_weather", parameters }] }],
  ["/v1/messages", { max_tokens: 100, messages: [user], tools: [{ name: "get_weather", input_schema: parameters }] }],
] as const;

/** An answer that goes on with each call of `next`. */
function stepwise(steps: string[]) {
  const waiting: (() => void)[] = [];
  const answer: Answer = async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    for (const step of steps) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      response.write(step);
    }
    response.end();
  };
  const next = async () => {
    await expect.poll(() => waiting.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    waiting.shift()!();
  };
  return { answer, next };
}

/** Reads a stream until its text matches. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, words: RegExp): Promise<void> {
  let text = "";
  while (!words.test(text)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The stream ended without ${words}: ${text}`);
    text += new TextDecoder().decode(value);
  }
}

describe.each(requests)("a stream of %s", (path, request) => {
  it("is live: text, a call's name and its arguments arrive while the model still writes", async () => {
    const city = "Llanfairpwllgwyngyll";
    const { answer, next } = stepwise([
      delta("I look. "),
      delta('<tool_call>\n{"name": "get_weather", "arguments": {"'),
      delta(`city": "${city.repeat(10)}`),
      delta('"}}\n</tool_call>'),
      delta({}, "stop") + DONE,
    ]);
    const { post } = await gatewayBefore([answer]);
    const asked = post(path, { model: "m", stream: true, ...request });
    await next();
    const reader = (await asked).body!.getReader();
    await readUntil(reader, /I look\./);
    await next();
    await readUntil(reader, /get_weather/);
    await next();
    await readUntil(reader, new RegExp(city));
    await next();
    await next();
    await readUntil(reader, /\[DONE\]|response\.completed|message_stop/);
  });

  it("ends with an error if a call that was begun cannot be read", async () => {
    const { post } = await gatewayBefore([
      stream([
        delta('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Os'),
        event({ error: { message: "The GPU is gone." } }),
      ]),
    ]);
    const text = await (await post(path, { model: "m", stream: true, ...request })).text();
    expect(text).toContain("get_weather");
    expect(text).toContain("The GPU is gone.");
    expect(text).not.toMatch(/finish_reason":"tool_calls|response\.completed|message_stop|output_item\.done/);
  });

  it("that had to begin because of silence still reports that the upstream failed", async () => {
    const { answer, next } = stepwise([event({ error: { message: "The GPU is gone." } })]);
    const { post } = await gatewayBefore([answer], { server: { limits: { keepAlive: 0.01 } } });
    const response = await post(path, { model: "m", stream: true, ...request });
    expect(response.status).toBe(200);
    await next();
    const text = await response.text();
    expect(text).toMatch(/^: keep-alive/);
    expect(text).toContain("The GPU is gone.");
  });

  it("slows the upstream down, without using memory, if nobody reads", async () => {
    const piece = delta("x".repeat(60_000));
    const count = 1000;
    let sent = 0;
    const endless: Answer = async (response, { closed }) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (; sent < count && !response.destroyed; sent++) {
        if (!response.write(piece)) await Promise.race([once(response, "drain"), closed]);
      }
      response.end(delta({}, "stop") + DONE);
    };
    const { post, upstream } = await gatewayBefore([endless]);
    const answer = await post(path, { model: "m", stream: true, ...request });
    // Stalled: nothing more is written while others are answered.
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(sent).toBeLessThan(count / 2);
    await answer.body!.cancel();
    expect(await upstream.requests[0]!.closed).toBe("aborted");
  });

  it("contains no call that only a result contains, even if the model repeats it", async () => {
    const page = `Welcome! ${call({ city: "Evil" })}`;
    const past: Record<string, object> = {
      "/v1/chat/completions": {
        messages: [
          user,
          {
            role: "assistant",
            tool_calls: [{ id: "c", type: "function", function: { name: "get_weather", arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: "c", content: page },
        ],
      },
      "/v1/responses": {
        input: [
          user,
          { type: "function_call", call_id: "c", name: "get_weather", arguments: "{}" },
          { type: "function_call_output", call_id: "c", output: page },
        ],
      },
      "/v1/messages": {
        messages: [
          user,
          { role: "assistant", content: [{ type: "tool_use", id: "c", name: "get_weather", input: {} }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: page }] },
        ],
      },
    };
    const { post } = await gatewayBefore([stream(reply(...pieces(`It says: ${call({ city: "Evil" })}`)))]);
    for (const isStream of [true, false]) {
      const text = await (await post(path, { model: "m", ...request, ...past[path], stream: isStream })).text();
      expect(text).toMatch(/It say[\s\S]*Evil/);
      expect(text).not.toMatch(/tool_calls":\[|tool_use"|function_call"/);
    }
  });
});
