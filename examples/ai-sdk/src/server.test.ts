import { afterAll, expect, test } from "vitest";
import { ScriptedModel } from "../../../packages/ai-sdk/test/scripted-model.js";
import { serveChat } from "./server.js";

const chat = await serveChat(new ScriptedModel({ replies: ["Hello."], size: 3 }));
afterAll(() => chat.close());
const post = (body: string) => fetch(`${chat.url}/api/chat`, { method: "POST", body });
const hello = { id: "1", role: "user", parts: [{ type: "text", text: "Hi" }] };

test.each([
  ["not JSON", "{", 400, "The request is not JSON"],
  ["no messages", "{}", 400, "messages"],
  ["no message", '{"messages": []}', 400, "messages"],
  ["an unknown tool", JSON.stringify({ messages: [hello], tool: "axe" }), 400, '"clock"|"note"'],
  ["messages of another kind", JSON.stringify({ messages: [{ role: "user", content: "Hi" }] }), 400, "parts"],
  ["too long a conversation", "x".repeat(1_000_001), 413, "A conversation may have 1000000 characters."],
])("a wrong request is told why: %s", async (_, body, status, why) => {
  const response = await post(body);
  expect(response.status).toBe(status);
  const said = await response.text();
  expect(said).toContain(why);
  expect(said.length).toBeLessThan(300);
});

test("a right one is answered; another address is not there", async () => {
  const response = await post(JSON.stringify({ messages: [hello] }));
  expect(await response.text()).toContain('"type":"finish"');
  const missing = await fetch(`${chat.url}/x`);
  expect([missing.status, await missing.text()]).toEqual([404, "There is no GET /x."]);
});
