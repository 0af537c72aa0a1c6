import { CreateMLCEngine } from "@mlc-ai/web-llm";
import type { Tool } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { webLlmModel } from "../src/web-llm-model.js";

const MODEL = new URL(location.href).searchParams.get("model") ?? "Qwen2.5-1.5B-Instruct-q4f16_1-MLC";

const notes: string[] = [];
const tools: Tool[] = [
  {
    name: "add_note",
    description: "Writes a note down",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    execute: async ({ text }) => `Written down as note ${notes.push(String(text))}.`,
  },
  {
    name: "get_time",
    description: "The time on this computer",
    parameters: { type: "object", properties: {} },
    execute: async () => new Date().toLocaleTimeString(),
  },
];

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
};
const status = element("status");
const chat = element("chat");
const form = element("form");
const input = element("input");

function line(kind: string): HTMLElement {
  const added = document.createElement("pre");
  added.className = kind;
  return chat.appendChild(added);
}

async function begin(): Promise<void> {
  const engine = await CreateMLCEngine(MODEL, {
    initProgressCallback: ({ text }) => {
      status.textContent = text;
    },
  });
  status.textContent = `${MODEL} is ready.`;
  const conversation = new ToolConversation({
    model: webLlmModel(engine),
    ...{ tools, protocol: "hermes", prefill: false, constraint: "auto", backend: "vllm" },
    ...{ maxTokens: 400, temperature: 0, budget: { steps: 5 } },
    instructions: "You are a helpful assistant. Answer in one sentence.",
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!(input instanceof HTMLInputElement) || input.value === "") return;
    const question = input.value;
    input.value = "";
    line("user").textContent = question;
    let shown: HTMLElement | undefined;
    for await (const event of conversation.run(question)) {
      if (event.type === "text") {
        shown ??= line("assistant");
        shown.textContent += event.text;
      } else if (event.type === "call-start") {
        shown = line("tool");
        shown.textContent = `${event.name} `;
      } else if (event.type === "call-delta" && shown) shown.textContent += event.argumentsDelta;
      else if (event.type === "tool-end") {
        line("tool").textContent = event.result.content;
        shown = undefined;
      }
    }
  });
  form.hidden = false;
}

begin().catch((error: unknown) => {
  status.textContent = `${MODEL} cannot run here: ${error}. WebLLM downloads it from Hugging Face and runs it with WebGPU; ?model= takes another of WebLLM's models.`;
});
