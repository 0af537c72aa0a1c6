import {
  ChatTemplate,
  type RenderedPrompt,
  renderChatPrompt,
  renderPrompt,
  type ToolChoice,
  type ToolStyle,
} from "@toolingua/core";
import { isObject, placeOf } from "@toolingua/core/adapters";
import { askedProtocol } from "../protocols/asked-protocol.js";
import { CliError } from "../terminal/errors.js";
import { inFile } from "../terminal/in-file.js";
import { printable } from "../terminal/printable.js";
import { readAll } from "../terminal/read-input.js";
import type { Terminal } from "../terminal/terminal.js";
import { loadToolsIn, type ToolOptions } from "../tool-sources/load-tools.js";
import { readText } from "../tool-sources/read-document.js";
import { givenToolChoice } from "../tool-sources/tool-choice.js";
import { type MessagesForm, readConversation } from "./read-conversation.js";

/** The options of `toolingua render`. */
export interface RenderOptions extends ToolOptions {
  protocol?: string;
  model?: string;
  style?: ToolStyle;
  toolChoice?: string;
  parallel: boolean;
  from: MessagesForm;
  completion?: boolean;
  template?: string;
}

/** `toolingua render`: prints the prompt of a model, as messages or as a whole completion prompt. */
export async function run(terminal: Terminal, file: string | undefined, options: RenderOptions): Promise<void> {
  const text = await readAll(terminal, file);
  const { value: conversation, losses } = await inFile(file, () =>
    readConversation(text, options.from, { isData: /\.(?:json|ya?ml)$/i.test(file ?? "") }),
  );
  for (const { path, what, why } of losses) terminal.note(`lost: ${what} at ${placeOf(path)}: ${why}`);
  if (conversation.messages.length === 0) terminal.note("There are no messages: the list is empty.");
  const loaded = await loadToolsIn(terminal, options);
  await loaded.close();
  const tools = loaded.tools.length > 0 ? loaded.tools : (conversation.tools ?? []);
  const asked = options.toolChoice === undefined ? conversation.toolChoice : givenToolChoice(options.toolChoice, tools);
  if (options.toolChoice === "required" && tools.length === 0)
    throw new CliError("usage", "--tool-choice required needs tools: give them with --tools, --mcp or --openapi.");
  const toolChoice: ToolChoice = asked ?? "auto";
  const { style, model, parallel } = options;
  const shared = { messages: conversation.messages, tools, toolChoice, style, ...(!parallel && { parallel }) };
  if (options.completion || options.template !== undefined) {
    const format = options.template === undefined ? undefined : await templateOf(options.template);
    if (format === undefined && model === undefined) {
      throw new CliError("usage", "--completion needs the chat format: --model, or --template with the model's own.");
    }
    const protocol = askedProtocol({ protocol: options.protocol });
    const prompt = renderChatPrompt({ ...shared, format, model, ...(protocol && { protocol }) });
    if (terminal.json) return terminal.printJson({ ...prompt, protocol: nameOf(prompt.protocol) });
    return await terminal.write(prompt.prompt);
  }
  const protocol = askedProtocol(options) ?? "xml";
  const rendered = renderPrompt({ ...shared, protocol });
  if (terminal.json) terminal.printJson({ protocol, ...rendered });
  else printMessages(terminal, rendered);
}

const nameOf = (protocol: string | { name: string }) => (typeof protocol === "string" ? protocol : protocol.name);

/** A model's own template: a `tokenizer_config.json`, or Jinja. */
async function templateOf(file: string): Promise<ChatTemplate> {
  const text = await readText(file);
  if (!file.endsWith(".json")) return new ChatTemplate(text);
  const { parseDocument } = await import("../tool-sources/read-document.js");
  const config = await parseDocument(text, file, false);
  if (!isObject(config) || !("chat_template" in config)) {
    throw new CliError(
      "bad-input",
      `${file} has no chat_template. Give a tokenizer_config.json that has one, or a Jinja file.`,
    );
  }
  return new ChatTemplate(config);
}

function printMessages(terminal: Terminal, { messages, prefill, stop }: RenderedPrompt): void {
  const head = (text: string) => terminal.style(["cyan", "bold"], `── ${text} `.padEnd(40, "─"));
  for (const { role, content } of messages) terminal.print(`${head(role)}\n${printable(content)}\n`);
  if (prefill !== undefined) terminal.print(`${head("assistant begins with")}\n${printable(prefill)}\n`);
  if (stop.length > 0) terminal.print(`${head("stops before")}\n${stop.map((one) => JSON.stringify(one)).join("\n")}`);
}
