import type { InvalidToolCall, ReplyEvent, ToolCall } from "@toolingua/core";
import { isObject, jsonObject } from "@toolingua/core/adapters";
import { invalidMetadata, type Metadata } from "../messages/metadata.js";
import { type Block, type BlockPart, blockOf } from "../parts.js";
import type { ProviderMetadata, StreamPart } from "../sdk.js";

/** The state of a streamed call. */
interface OpenCall {
  /** Its number in the reply. */
  index: number;
  id: string;
  name: string;
  /** The deltas that were sent, joined. */
  sent: string;
  /** Buffered: possibly the last `}` of the arguments. */
  buffered: string;
}

/**
 * Turns the events of a reply into the parts of the SDK's streams.
 *
 * - The deltas of a call join to exactly the `input` of its `tool-call`.
 * - A wrong call never runs, because the SDK's own checks find it invalid: its input lacks the last `}`. Therefore the
 *   last `}` is always sent last. Only if the tool is unknown, the input is complete. Whether the SDK validates the
 *   arguments of a known one cannot be seen: those of MCP tools look like those of zod's.
 * - White space around calls does not create a text block; between two texts it is kept, at the beginning of the
 *   second.
 */
export class PartWriter {
  /** The reply has a call, right or wrong. */
  called = false;
  /** A call was truncated. */
  truncated = false;
  /** A call may run. */
  hasValidCall = false;
  /** The call that is open: it ends before the next one begins. */
  #call: OpenCall | undefined;
  readonly #unreadable: InvalidToolCall[] = [];
  #block: { type: Block; id: string } | undefined;
  #blocks = 0;
  /** The provider's ends of the text and reasoning that are open, or not written yet, with what it says about them. */
  #about: Partial<Record<Block, BlockPart | undefined>> = {};
  /** White space that belongs to the text only if more text follows. */
  #blank = "";
  #wrote = false;
  #said = false;

  /** Adds the parts of an event. */
  write(event: ReplyEvent, parts: StreamPart[]): void {
    switch (event.type) {
      case "text":
        return this.#text(event.text, parts);
      case "reasoning":
        return event.text === "" ? undefined : this.#content("reasoning", event.text, parts);
      case "dropped":
        return;
      case "call-start":
        this.#start(event.index, event.id, event.name, parts);
        return;
      case "call-delta":
        return this.#delta(event.index, event.argumentsDelta, parts);
      case "call-end":
        return this.#end(event.index, event.call, parts);
      case "call-invalid":
        return this.#invalid(event.index, event.call, parts);
    }
  }

  /** The calls without a readable name, which the SDK has no part for. */
  get unreadable(): Metadata[] {
    return this.#unreadable.map(({ raw, error: { code, message, feedback } }) => ({ code, message, feedback, raw }));
  }

  /** Ends the reply. The error of a call without a readable name becomes text, on a line of its own. */
  finish(parts: StreamPart[]): void {
    for (const { error } of this.#unreadable) {
      if (!this.#said) this.#blank = "";
      else if (!this.#blank.includes("\n")) this.#blank = "\n";
      this.#text(`[${error.message}]`, parts);
    }
    if (this.#block?.type === "text" && this.#blank !== "") this.#content("text", this.#blank, parts);
    this.close(parts);
  }

  /**
   * Follows the provider's own parts: a text ends where the next one begins, and reasoning at its end. What the provider says
   * about a part is said about what is open or written next, until its next part or the next reply begins.
   */
  follow(part: BlockPart, parts: StreamPart[]): void {
    const type = blockOf(part);
    const isOpen = this.#block?.type === type;
    if (part.type === "text-end" || part.type === "reasoning-end") {
      this.#about[type] = part;
      if (isOpen && type === "reasoning") this.close(parts);
    } else {
      if (isOpen && type === "text") this.close(parts);
      this.#about[type] = undefined;
    }
  }

  /** Forgets what was said about parts of the last reply that are not written. */
  begin(): void {
    this.#about = {};
  }

  /** Ends the open block. */
  close(parts: StreamPart[]): void {
    const block = this.#block;
    this.#block = undefined;
    if (!block) return;
    const { type, id } = block;
    const about = this.#about[type];
    this.#about[type] = undefined;
    parts.push(about ? { ...about, id } : { type: `${type}-end`, id });
  }

  #text(text: string, parts: StreamPart[]): void {
    const length = text.trimEnd().length;
    if (length === 0) {
      this.#blank += text;
      return;
    }
    const said = this.#blank + text.slice(0, length);
    this.#blank = text.slice(length);
    const isAfterOthers = this.#wrote && !this.#said;
    this.#said = true;
    this.#content("text", isAfterOthers ? said.trimStart() : said, parts);
  }

  #content(type: Block, delta: string, parts: StreamPart[]): void {
    if (this.#block?.type !== type) {
      this.close(parts);
      const id = `${type}-${this.#blocks++}`;
      this.#block = { type, id };
      this.#wrote = true;
      parts.push({ type: `${type}-start`, id });
    }
    parts.push({ type: `${type}-delta`, id: this.#block.id, delta });
  }

  #start(index: number, id: string, name: string, parts: StreamPart[]): OpenCall {
    this.close(parts);
    this.#wrote = true;
    const call = { index, id, name, sent: "", buffered: "" };
    this.#call = call;
    parts.push({ type: "tool-input-start", id, toolName: name });
    return call;
  }

  #callOf(index: number): OpenCall | undefined {
    return this.#call?.index === index ? this.#call : undefined;
  }

  #delta(index: number, delta: string, parts: StreamPart[]): void {
    const call = this.#callOf(index);
    if (!call) return;
    const text = call.buffered + delta;
    call.buffered = text.endsWith("}") ? "}" : "";
    send(call, text.slice(0, text.length - call.buffered.length), parts);
  }

  #end(index: number, { id, name, arguments: args }: ToolCall, parts: StreamPart[]): void {
    const call = this.#callOf(index) ?? this.#start(index, id, name, parts);
    send(call, call.sent === "" ? JSON.stringify(args) : call.buffered, parts);
    this.hasValidCall = true;
    this.#finished(call, parts);
  }

  #invalid(index: number, wrong: InvalidToolCall, parts: StreamPart[]): void {
    this.truncated ||= wrong.error.code === "truncated";
    const { id, name, raw, error, arguments: args } = wrong;
    if (name === undefined) {
      this.#unreadable.push(wrong);
      return;
    }
    const call = this.#callOf(index) ?? this.#start(index, id, name, parts);
    const invalid = invalidMetadata(error, name, raw, args);
    send(call, this.#restOf(call, wrong), parts);
    this.#finished(call, parts, { toolingua: { invalid } });
  }

  /** The rest of a wrong call's input: all of it if the SDK itself refuses the call, because it has no such tool. */
  #restOf({ name, sent, buffered }: OpenCall, { arguments: args, error }: InvalidToolCall): string {
    // The SDK looks names up in an object, so it finds `constructor` even without such a tool.
    if (error.code === "unknown-tool" && !(name in {})) {
      if (jsonObject(sent + buffered) !== undefined) return buffered;
      const whole = isObject(args) ? JSON.stringify(args) : "";
      if (whole !== "" && whole.startsWith(sent)) return whole.slice(sent.length);
    }
    if (sent === "") return "{";
    // A complete object would be accepted.
    return jsonObject(sent) === undefined ? "" : "}";
  }

  #finished({ id, name, sent }: OpenCall, parts: StreamPart[], providerMetadata?: ProviderMetadata): void {
    this.called = true;
    this.#call = undefined;
    const call: Extract<StreamPart, { type: "tool-call" }> = {
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: sent,
    };
    if (providerMetadata) call.providerMetadata = providerMetadata;
    parts.push({ type: "tool-input-end", id }, call);
  }
}

function send(call: OpenCall, delta: string, parts: StreamPart[]): void {
  call.sent += delta;
  if (delta !== "") parts.push({ type: "tool-input-delta", id: call.id, delta });
}
