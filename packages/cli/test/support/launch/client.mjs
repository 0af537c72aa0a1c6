// A client as launch runs it: says how it was called, asks the server it is pointed to, and ends with 7.
// FAKE_FILE: a settings file to show. FAKE_EDIT: a setting to write there. FAKE_WAIT: do not end.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const { env } = process;
const shown = Object.fromEntries(
  Object.entries(env).filter(([name]) => /^(ANTHROPIC|CLAUDE|OPENAI|OPENCODE|AIDER|GOOSE|TOOLINGUA_CLIENT)/.test(name)),
);
const file = env.FAKE_FILE && existsSync(env.FAKE_FILE) ? JSON.parse(readFileSync(env.FAKE_FILE, "utf8")) : undefined;
if (env.FAKE_EDIT && file) writeFileSync(env.FAKE_FILE, JSON.stringify({ ...file, ...JSON.parse(env.FAKE_EDIT) }));

const from = file?.customModels?.at(-1);
const url = env.ANTHROPIC_BASE_URL ?? (from ? from.baseUrl.replace(/\/v1$/, "") : undefined);
const key = env.ANTHROPIC_AUTH_TOKEN ?? from?.apiKey;
let answer;
if (url) {
  const response = await fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: env.ANTHROPIC_DEFAULT_HAIKU_MODEL ?? from.model,
      max_tokens: 100,
      messages: [{ role: "user", content: "What is the weather in Oslo?" }],
      tools: [{ name: "get_weather", input_schema: { type: "object", properties: { city: { type: "string" } } } }],
    }),
  });
  answer = (await response.json()).content;
}
console.log(JSON.stringify({ args: process.argv.slice(2), env: shown, file, answer }));
if (env.FAKE_WAIT) await new Promise(() => setInterval(() => {}, 1000));
process.exitCode = 7;
