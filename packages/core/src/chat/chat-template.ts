import { Template } from "@huggingface/jinja";
import { checkArgument } from "../check-argument.js";
import { callsOf } from "../common/one-call-a-turn.js";
import type { ProtocolName } from "../protocols/index.js";
import type { ChatMessage, ToolDefinition } from "../types.js";
import { type ChatFormat, ChatFormatError, type Conversation } from "./chat-format.js";
import { foldSystem } from "./conversation.js";
import { strftime } from "./strftime.js";
import { type CallShape, templateMessages, templateTool } from "./template-messages.js";
import { probeArguments, probeName, probeTool, withoutSpace, writtenProtocol } from "./written-protocol.js";

/** One of several templates of a model. The one named `tool_use` is for conversations with tools. */
export interface NamedTemplate {
  name: string;
  template: string;
}

type SpecialToken = string | { content: string } | null | undefined;

/** The fields of Hugging Face's `tokenizer_config.json` that rendering needs; others are ignored. */
export interface TokenizerConfig {
  chat_template?: string | readonly NamedTemplate[] | null | undefined;
  bos_token?: SpecialToken;
  eos_token?: SpecialToken;
  added_tokens_decoder?: Record<string, { content: string; special?: boolean | undefined }> | undefined;
}

export interface ChatTemplateOptions {
  /** Default `chat-template`. */
  name?: string | undefined;
  /** Further variables of the template, such as `enable_thinking`. Variables that this class sets take precedence. */
  variables?: Record<string, unknown> | undefined;
}

/**
 * A model's own chat template (Jinja), rendered with `@huggingface/jinja` as `apply_chat_template` of Hugging Face's
 * transformers renders it. Differences between templates are detected by rendering probes: whether a template has a
 * place for a system message (otherwise that begins the first user message), whether it shows tools, whether arguments
 * must be an object or JSON text, and what ends a turn.
 *
 * `template`: the template's text (GGUF: `tokenizer.chat_template`), a list of named ones, or the parsed
 * `tokenizer_config.json`, which also contains the special tokens.
 * Throws {@link ChatFormatError} `bad-template` if it is not valid Jinja, with what its parser expected.
 *
 * @example
 * const format = new ChatTemplate(JSON.parse(await readFile("tokenizer_config.json", "utf8")));
 * renderChatPrompt({ format, messages, tools });
 */
export class ChatTemplate implements ChatFormat {
  readonly name: string;
  readonly about = { models: "the model it belongs to", source: "the model's own chat template" };
  readonly #plain: Template;
  readonly #withTools: Template;
  readonly #config: TokenizerConfig;
  readonly #variables: Record<string, unknown>;
  /** What the probes have detected so far. */
  readonly #found: {
    stop?: readonly string[];
    markers?: readonly string[];
    tools?: boolean;
    protocol?: ProtocolName | "auto";
    system?: boolean;
    calls?: CallShape | "none";
    turns?: Turns;
  } = {};

  constructor(template: string | readonly NamedTemplate[] | TokenizerConfig, options: ChatTemplateOptions = {}) {
    if (typeof template !== "string" && !Array.isArray(template))
      checkArgument(
        "template",
        "object",
        template,
        "a template's text, a list of named ones, or a tokenizer's configuration",
      );
    checkArgument("options", "object", options);
    this.name = options.name ?? "chat-template";
    this.#variables = options.variables ?? {};
    const isConfig = typeof template === "object" && !Array.isArray(template);
    this.#config = isConfig ? (template as TokenizerConfig) : { chat_template: template as string };
    const { chat_template: source } = this.#config;
    const named = (name: string) =>
      typeof source === "string" ? source : source?.find((candidate) => candidate?.name === name)?.template;
    const first = named("default") ?? (typeof source === "object" ? source?.[0]?.template : undefined);
    if (first === undefined) {
      throw new ChatFormatError("bad-template", "There is no chat template: chat_template is missing or empty.");
    }
    this.#plain = parse(first);
    const forTools = named("tool_use") ?? first;
    this.#withTools = forTools === first ? this.#plain : parse(forTools);
  }

  /**
   * The end-of-sequence token, and the marker that ends a turn of the assistant. The marker is left out if the model
   * may write it within its turn (gpt-oss ends each channel with one): such a template begins an answer with more than
   * the turn's opening.
   */
  get stop(): readonly string[] {
    this.#found.stop ??= this.#findStop();
    return this.#found.stop;
  }

  /**
   * The registered format in which the template writes calls, if it shows tools; `auto` if that is none of them, or the
   * template writes no calls.
   */
  get protocol(): ProtocolName | "auto" | undefined {
    this.#found.tools ??= this.#shows({ messages: [{ role: "user", content: "a" }], tools: [probe] }, probe.name);
    if (!this.#found.tools) return undefined;
    this.#found.protocol ??= this.#findProtocol();
    return this.#found.protocol;
  }

  /** Whether the template writes past calls. Some templates show tools but omit past calls. */
  get writesCalls(): boolean {
    return this.#calls() !== "none";
  }

  /** The texts that the template writes between turns, and the special tokens of the tokenizer's configuration. */
  get markers(): readonly string[] {
    this.#found.markers ??= this.#findMarkers();
    return this.#found.markers;
  }

  render(conversation: Conversation): string {
    const { messages } = conversation;
    const folded = messages.some(({ role }) => role === "system") && !this.#hasSystemRole();
    const calls = messages.some((message) => callsOf(message).length > 0) ? this.#calls() : "none";
    const shape = calls === "none" ? plainShape : calls;
    return this.#apply(folded ? { ...conversation, messages: foldSystem(messages) } : conversation, shape);
  }

  #apply({ messages, tools, date, bos }: Conversation, shape: CallShape): string {
    const template = tools.length > 0 ? this.#withTools : this.#plain;
    const variables = {
      ...this.#variables,
      messages: templateMessages(messages, shape),
      tools: tools.length > 0 ? tools.map(templateTool) : null,
      documents: null,
      add_generation_prompt: true,
      bos_token: bos ? textOf(this.#config.bos_token) : "",
      eos_token: textOf(this.#config.eos_token),
      date_now: (format: string) => strftime(date ?? new Date(), format),
      ...(date ? { date_string: strftime(date, "%d %b %Y") } : {}),
    };
    try {
      return template.render(variables);
    } catch (cause) {
      try {
        // Some templates iterate over the tools without checking whether there are any.
        if (tools.length === 0) return template.render({ ...variables, tools: [] });
      } catch {}
      const reason = (cause as Error).message;
      throw new ChatFormatError("refused", `The chat template refused the messages: ${reason}`, { cause });
    }
  }

  /** The form of calls that the template writes; `none` if it omits them, or their results, in every form. */
  #calls(): CallShape | "none" {
    this.#found.calls ??= this.#findCalls();
    return this.#found.calls;
  }

  #findCalls(): CallShape | "none" {
    for (const form of ["object", "text"] as const) {
      for (const ids of ["given", "nine"] as const) {
        const text = this.#try({ messages: probeCall, tools: [probe] }, { arguments: form, ids });
        if (!text?.includes("probed") || !text.includes("outcome")) continue;
        const named = !text.includes(probeName) || text.includes(`functions.${probeName}:0`);
        return { arguments: form, ids: ids === "given" && named ? "named" : ids };
      }
    }
    return "none";
  }

  /** The registered format of the call that the template writes. Of several that match, the longest call wins. */
  #findProtocol(): ProtocolName | "auto" {
    const shape = this.#calls();
    const text = shape === "none" ? "" : (this.#try({ messages: probeCall, tools: [probe] }, shape) ?? "");
    return writtenProtocol(text) ?? writtenProtocol(text, withoutSpace) ?? "auto";
  }

  #hasSystemRole(): boolean {
    const content = "a system message";
    const messages: ChatMessage[] = [
      { role: "system", content },
      { role: "user", content: "hello" },
    ];
    this.#found.system ??= this.#shows({ messages, tools: [] }, content);
    return this.#found.system;
  }

  /** The texts around the turns of a plain conversation. */
  #turns(): Turns {
    this.#found.turns ??= this.#findTurns();
    return this.#found.turns;
  }

  #findTurns(): Turns {
    const messages = ["user", "assistant", "user"].map((role) => ({ role, content: mark }) as ChatMessage);
    const [before = "", opening = "", between = "", end = "", ...more] = (
      this.#try({ messages, tools: [] }) ?? ""
    ).split(mark);
    if (more.length > 0) return { before: "", opening: "", between: "", end: "" };
    return { before: before.split("\n").slice(-2).join("\n"), opening, between, end };
  }

  #findStop(): string[] {
    const { before, opening, between, end } = this.#turns();
    const eos = textOf(this.#config.eos_token);
    const [line = ""] = between.trim().split("\n");
    const closing = new RegExp(`^(?:${tag.source})`).exec(line)?.[0] ?? line.trim();
    const closes = end.startsWith(opening.trimEnd()) || before.trimEnd().endsWith(closing);
    const stop = eos !== "" && line.startsWith(eos) ? [eos] : [eos, closes ? closing : ""];
    return [...new Set(stop)].filter((text) => text !== "");
  }

  #findMarkers(): string[] {
    const tokens = Object.values(this.#config.added_tokens_decoder ?? {}).filter(({ special }) => special);
    const lines = Object.values(this.#turns()).flatMap((text) => text.split("\n"));
    const tags = lines.flatMap((line) => line.match(tag) ?? []);
    const labels = lines.flatMap((line) => line.split(tag)).map((part) => part.trim());
    const written = [...tokens.map(({ content }) => content), ...tags, ...labels.filter(isLabel)];
    return [...new Set(written)].filter((text) => text !== "");
  }

  #shows(conversation: Probe, text: string): boolean {
    return this.#try(conversation)?.includes(text) ?? false;
  }

  #try(conversation: Probe, shape = plainShape): string | undefined {
    try {
      return this.#apply({ ...conversation, bos: true }, shape);
    } catch {
      return undefined;
    }
  }
}

type Probe = Pick<Conversation, "messages" | "tools">;

/** The texts of a template before the user's first turn, before and after the assistant's, and at the end. */
type Turns = Record<"before" | "opening" | "between" | "end", string>;

/** A placeholder for the content of messages in probes; no template writes it. */
const mark = "\uE000";

const plainShape: CallShape = { arguments: "object", ids: "given" };

/**
 * The tool that probes show. Its name differs from that of the probed call, which must appear where calls are written.
 */
const probe: ToolDefinition = { ...probeTool, name: "probe" };

const madeCalls = [{ id: "the_first_id", name: probeName, arguments: probeArguments }];

const probeCall: ChatMessage[] = [
  { role: "user", content: "a" },
  { role: "assistant", content: "", toolCalls: madeCalls },
  { role: "tool", toolCallId: "the_first_id", name: "result", content: "outcome" },
];

/** Replaces the library's `strftime_now`, which does not know all codes and cannot be given a date. */
const ourDate = new Template("{% set strftime_now = date_now %}").parsed.body;

const tag = /<[^<>\s]+>|\[[^[\]\s]+\]/g;

/** A label such as `USER:` or `### Response:`. Other lines between turns do not distinguish turns. */
const isLabel = (text: string) => text.length <= 40 && /\p{L}/u.test(text) && /^[^\p{L}\p{N}\s-]|[:：]$/u.test(text);

function parse(source: string): Template {
  try {
    const template = new Template(source);
    template.parsed.body.unshift(...ourDate);
    return template;
  } catch (cause) {
    // The parser reads past the end of such a text.
    const isOpen = cause instanceof TypeError;
    const reason = isOpen ? "It ends before a block or an expression does." : (cause as Error).message;
    throw new ChatFormatError("bad-template", `The chat template cannot be read, give another: ${reason}`, { cause });
  }
}

const textOf = (token: SpecialToken): string => (typeof token === "object" ? (token?.content ?? "") : (token ?? ""));
