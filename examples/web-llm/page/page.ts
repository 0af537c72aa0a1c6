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

function element<E extends HTMLElement>(id: string, kind: { new (): E; name: string }): E {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} #${id}.`);
}
const status = element("status", HTMLElement);
const chat = element("chat", HTMLElement);
const form = element("form", HTMLFormElement);
/** Disabled while the model answers. */
const fields = element("fields", HTMLFieldSetElement);
const input = element("input", HTMLInputElement);

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
  async function turn(question: string): Promise<void> {
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
      } else if (event.type === "end" && event.result.error) throw event.result.error;
    }
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (fields.disabled || input.value === "") return;
    const question = input.value;
    input.value = "";
    fields.disabled = true;
    try {
      await turn(question);
    } catch (error) {
      line("error").textContent = String(error);
    } finally {
      fields.disabled = false;
      input.focus();
    }
  });
  form.hidden = false;
}

begin().catch((error: unknown) => {
  status.textContent = `${MODEL} cannot run here: ${error}. WebLLM downloads it from Hugging Face and runs it with WebGPU; ?model= takes another of WebLLM's models.`;
});
