import type { InvalidToolCall, ReplyEvent, ToolCall } from "@toolingua/core";
import { isObject } from "@toolingua/core/adapters";
import type { StreamPart } from "./sdk.js";

type Metadata = Extract<StreamPart, { type: "reasoning-end" }>["providerMetadata"];

/** The state of a streamed call. */
interface OpenCall {
  id: string;
  name: string;
  /** The deltas that were sent, joined. */
  sent: string;
  /** Buffered: possibly the last `}` of the arguments. */
  buffered: string;
}

/** How to write the parts. */
export interface WritingRules {
  /** The tools with arguments that the SDK validates itself. */
  validated: ReadonlySet<string>;
  /** The provider's metadata of the reasoning so far. */
  reasoningMetadata(): Metadata;
}

/**
 * Turns the events of a reply into the parts of the SDK's streams.
 *
 * - The deltas of a call join to exactly the `input` of its `tool-call`.
 * - A wrong call never runs, because the SDK's own checks find it invalid: its input lacks the last `}`. Therefore the
 *   last `}` is always sent last. If the SDK validates the arguments itself, or the tool is unknown, the input is
 *   complete.
 * - White space around calls does not create a text block; between two texts it is kept, at the beginning of the
 *   second.
 */
export class PartWriter {
  /** The reply has a call, right or wrong. */
  called = false;
  /** A call was truncated. */
  truncated = false;
  readonly #calls = new Map<number, OpenCall>();
  readonly #unreadable: InvalidToolCall[] = [];
  #block: { type: "text" | "reasoning"; id: string } | undefined;
  #blocks = 0;
  /** White space that belongs to the text only if more text follows. */
  #blank = "";
  #wrote = false;
  #said = false;

  constructor(private readonly rules: WritingRules) {}

  write(event: ReplyEvent): StreamPart[] {
    switch (event.type) {
      case "text":
        return this.#text(event.text);
      case "reasoning":
        return event.text === "" ? [] : this.#content("reasoning", event.text);
      case "dropped":
        return [];
      case "call-start":
        return this.#start(event.index, event.id, event.name);
      case "call-delta":
        return this.#delta(event.index, event.argumentsDelta);
      case "call-end":
        return this.#end(event.index, event.call);
      case "call-invalid":
        return this.#invalid(event.index, event.call);
    }
  }

  /** Ends the reply. If its only call could not be read at all, the error becomes text. */
  finish(): StreamPart[] {
    const parts: StreamPart[] = [];
    if (!this.called) for (const { error } of this.#unreadable) parts.push(...this.#text(`[${error.message}]`));
    if (this.#block?.type === "text" && this.#blank !== "") parts.push(...this.#content("text", this.#blank));
    return [...parts, ...this.close()];
  }

  /** Ends the open block. */
  close(): StreamPart[] {
    const block = this.#block;
    this.#block = undefined;
    if (!block) return [];
    const { id } = block;
    if (block.type === "text") return [{ type: "text-end", id }];
    const providerMetadata = this.rules.reasoningMetadata();
    return [{ type: "reasoning-end", id, ...(providerMetadata && { providerMetadata }) }];
  }

  #text(text: string): StreamPart[] {
    const length = text.trimEnd().length;
    if (length === 0) {
      this.#blank += text;
      return [];
    }
    const said = this.#blank + text.slice(0, length);
    this.#blank = text.slice(length);
    const isAfterOthers = this.#wrote && !this.#said;
    this.#said = true;
    return this.#content("text", isAfterOthers ? said.trimStart() : said);
  }

  #content(type: "text" | "reasoning", delta: string): StreamPart[] {
    if (this.#block?.type === type) return [deltaOf(type, this.#block.id, delta)];
    const closed = this.close();
    const id = `${type}-${this.#blocks++}`;
    this.#block = { type, id };
    this.#wrote = true;
    const start: StreamPart = type === "text" ? { type: "text-start", id } : { type: "reasoning-start", id };
    return [...closed, start, deltaOf(type, id, delta)];
  }

  #start(index: number, id: string, name: string): StreamPart[] {
    const closed = this.close();
    this.#wrote = true;
    this.#calls.set(index, { id, name, sent: "", buffered: "" });
    return [...closed, { type: "tool-input-start", id, toolName: name }];
  }

  #delta(index: number, delta: string): StreamPart[] {
    const call = this.#calls.get(index);
    if (!call) return [];
    const text = call.buffered + delta;
    call.buffered = text.endsWith("}") ? "}" : "";
    return this.#send(call, text.slice(0, text.length - call.buffered.length));
  }

  #send(call: OpenCall, delta: string): StreamPart[] {
    call.sent += delta;
    return delta === "" ? [] : [{ type: "tool-input-delta", id: call.id, delta }];
  }

  #end(index: number, { id, name, arguments: args }: ToolCall): StreamPart[] {
    const begun = this.#begun(index, id, name);
    const rest = this.#send(begun.call, begun.call.sent === "" ? JSON.stringify(args) : begun.call.buffered);
    return [...begun.parts, ...rest, ...this.#finished(index, begun.call)];
  }

  #invalid(index: number, wrong: InvalidToolCall): StreamPart[] {
    this.truncated ||= wrong.error.code === "truncated";
    const { id, name, raw, error } = wrong;
    if (name === undefined) {
      this.#unreadable.push(wrong);
      return [];
    }
    const { call, parts } = this.#begun(index, id, name);
    const { code, message, feedback } = error;
    const invalid = { code, message, feedback, raw };
    return [
      ...parts,
      ...this.#send(call, this.#restOf(call, wrong)),
      ...this.#finished(index, call, { toolingua: { invalid } }),
    ];
  }

  /** The rest of a wrong call's input: all of it if the call could be read and the SDK itself refuses it. */
  #restOf({ name, sent, buffered }: OpenCall, { arguments: args, error }: InvalidToolCall): string {
    // The SDK looks names up in an object, so it finds `constructor` even without such a tool.
    const isRefused =
      (error.code === "unknown-tool" && !(name in {})) ||
      (error.code === "invalid-arguments" && this.rules.validated.has(name));
    if (isRefused) {
      if (isComplete(sent + buffered)) return buffered;
      const whole = isObject(args) ? JSON.stringify(args) : "";
      if (whole !== "" && whole.startsWith(sent)) return whole.slice(sent.length);
    }
    return sent === "" ? "{" : "";
  }

  #begun(index: number, id: string, name: string): { call: OpenCall; parts: StreamPart[] } {
    const known = this.#calls.get(index);
    if (known) return { call: known, parts: [] };
    const parts = this.#start(index, id, name);
    return { call: this.#calls.get(index) ?? { id, name, sent: "", buffered: "" }, parts };
  }

  #finished(index: number, { id, name, sent }: OpenCall, providerMetadata?: Metadata): StreamPart[] {
    this.called = true;
    this.#calls.delete(index);
    const call: Extract<StreamPart, { type: "tool-call" }> = {
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: sent,
    };
    if (providerMetadata) call.providerMetadata = providerMetadata;
    return [{ type: "tool-input-end", id }, call];
  }
}

const deltaOf = (type: "text" | "reasoning", id: string, delta: string): StreamPart =>
  type === "text" ? { type: "text-delta", id, delta } : { type: "reasoning-delta", id, delta };

function isComplete(json: string): boolean {
  try {
    return isObject(JSON.parse(json));
  } catch {
    return false;
  }
}
