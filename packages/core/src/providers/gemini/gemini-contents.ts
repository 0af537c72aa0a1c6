import { isObject } from "../../common/plain-object.js";
import { type JsonObject, join, printJson } from "../../schema/json.js";
import { describeJson } from "../../schema/words.js";
import type { ChatMessage, ToolCall, ToolResult } from "../../types.js";
import { pastArguments } from "../common/call-arguments.js";
import { objectAt, ProviderFormatError, textAt } from "../common/expect.js";
import { UserParts } from "../common/images.js";
import type { Losses } from "../common/losses.js";
import type { Names } from "../common/names.js";
import { noCall, UnansweredCalls } from "../common/unanswered-calls.js";

/** Reads Gemini's contents as messages. */
export class GeminiReader {
  readonly messages: ChatMessage[] = [];
  private readonly open = new UnansweredCalls();

  constructor(
    private readonly names: Names,
    private readonly losses: Losses,
    private readonly keepsImages = false,
  ) {}

  /** Each text of the system instruction is a message. */
  system(given: unknown, path: string): void {
    for (const { parts, at } of contentsOf(given, path, this.losses)) {
      parts.forEach((part, i) => {
        const text = this.text(part, join(at, i));
        if (text !== undefined) this.messages.push({ role: "system", content: text });
      });
    }
  }

  contents(given: unknown, path: string): void {
    let isAnswered = false;
    contentsOf(given, path, this.losses).forEach(({ role, parts, at }, position) => {
      if (role !== "model") {
        isAnswered = true;
        this.user(parts, at);
        return;
      }
      // New calls replace earlier calls without a result.
      if (isAnswered && parts.some(isCallPart)) {
        this.open.close();
        isAnswered = false;
      }
      this.messages.push(this.model(parts, at, position));
    });
  }

  private model(parts: readonly unknown[], path: string, position: number): ChatMessage {
    const texts: string[] = [];
    const thoughts: string[] = [];
    const toolCalls: ToolCall[] = [];
    const isKept = parts.every(isSignable) && parts.some(isSigned);
    const alsoRead = isKept ? ["thought", "thoughtSignature"] : ["thought"];
    parts.forEach((given, i) => {
      const at = join(path, i);
      if (isCallPart(given)) {
        const { thoughtSignature, ...call } = given;
        toolCalls.push(this.call(isKept ? call : given, at, `function_${position}_${i}`));
        return;
      }
      const text = this.text(given, at, alsoRead);
      if (text === undefined) return;
      if (isObject(given) && given.thought === true) thoughts.push(text);
      else {
        if (toolCalls.length > 0) this.losses.add(at, "text", "moved before the calls");
        texts.push(text);
      }
    });
    this.joined(texts, path);
    this.joined(thoughts, path);
    return {
      role: "assistant",
      content: texts.join(""),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(thoughts.length > 0 && { reasoning: thoughts.join("") }),
      ...(isKept && { original: { format: "gemini", parts } }),
    };
  }

  private call(part: JsonObject, path: string, madeUp: string): ToolCall {
    const call = readCallPart(part, path, madeUp, this.names, this.losses);
    this.open.add(call, call.id !== madeUp);
    return call;
  }

  private user(parts: readonly unknown[], path: string): void {
    const before = this.messages.length;
    let said = new UserParts(path, this.losses, this.keepsImages);
    const flush = () => {
      const message = said.message();
      if (message) this.messages.push(message);
      said = new UserParts(path, this.losses, this.keepsImages);
    };
    parts.forEach((given, i) => {
      const at = join(path, i);
      if (!isObject(given) || given.functionResponse === undefined) {
        said.add(given, at, (part) => this.text(part, at));
        return;
      }
      flush();
      const madeUp = `function_${this.messages.length}`;
      const result = readResultPart(given, at, { open: this.open, madeUp }, this.names, this.losses);
      this.messages.push({ role: "tool", ...result });
    });
    flush();
    if (this.messages.length === before) this.messages.push({ role: "user", content: "" });
  }

  private text(part: unknown, path: string, alsoRead: readonly string[] = []): string | undefined {
    if (typeof part === "string") return part;
    const { text, ...rest } = objectAt(part, path, "a part: { text } or another");
    this.losses.rest(rest, alsoRead, path);
    return typeof text === "string" ? text : undefined;
  }

  private joined(texts: readonly string[], path: string): void {
    if (texts.length < 2) return;
    this.losses.add(path, "parts", `a message is one text here: ${texts.length} texts were joined`);
  }
}

export const isCallPart = (part: unknown): part is JsonObject => isObject(part) && part.functionCall !== undefined;

const isSigned = (part: unknown) => isObject(part) && typeof part.thoughtSignature === "string";

/** Whether the API accepts the part unchanged: a text, a thought or a call, signed or not. */
export function isSignable(part: unknown): boolean {
  if (!isObject(part)) return false;
  const { text, functionCall, thought, thoughtSignature, ...others } = part;
  return (typeof text === "string") !== isObject(functionCall) && Object.keys(others).length === 0;
}

/**
 * The forms that the SDK accepts as contents: a text, a part, a content, or a list. Parts without a role are the
 * user's.
 */
function contentsOf(
  given: unknown,
  path: string,
  losses: Losses,
): { role: unknown; parts: readonly unknown[]; at: string }[] {
  const isContent = (one: unknown): one is JsonObject => isObject(one) && (Array.isArray(one.parts) || "role" in one);
  if (isContent(given)) return [contentOf(given, path, losses)];
  if (!Array.isArray(given)) {
    if (typeof given !== "string" && !isObject(given))
      throw new ProviderFormatError(path, "a text, a content or a list", given);
    return [{ role: "user", parts: [given], at: path }];
  }
  if (given.length > 0 && !given.some(isContent)) return [{ role: "user", parts: given, at: path }];
  return given.map((one: unknown, i) =>
    contentOf(objectAt(one, join(path, i), "a content: { role, parts }"), join(path, i), losses),
  );
}

function contentOf(content: JsonObject, path: string, losses: Losses) {
  losses.rest(content, ["role", "parts"], path);
  const { role, parts = [] } = content;
  if (role !== undefined && role !== "user" && role !== "model" && role !== "function") {
    throw new ProviderFormatError(join(path, "role"), '"user" or "model"', role);
  }
  if (!Array.isArray(parts)) throw new ProviderFormatError(join(path, "parts"), "a list of parts", parts);
  return { role, parts: parts as unknown[], at: join(path, "parts") };
}

/** Reads a part with a call. `madeUp`: the id for a call without one. */
export function readCallPart(part: JsonObject, path: string, madeUp: string, names: Names, losses: Losses): ToolCall {
  losses.rest(part, ["functionCall"], path);
  const at = join(path, "functionCall");
  const call = objectAt(part.functionCall, at, "a call: { name, args }");
  losses.rest(call, ["id", "name", "args"], at);
  return {
    id: typeof call.id === "string" ? call.id : madeUp,
    name: names.read(textAt(call.name, join(at, "name"), "the function's name")),
    arguments: pastArguments(call.args, join(at, "args"), losses),
  };
}

/**
 * Reads a part with a result. `open`: the calls that it may answer. `madeUp`: the id if it answers none and has none.
 */
export function readResultPart(
  part: JsonObject,
  path: string,
  { open, madeUp }: { open: UnansweredCalls; madeUp: string },
  names: Names,
  losses: Losses,
): ToolResult {
  losses.rest(part, ["functionResponse"], path);
  const at = join(path, "functionResponse");
  const result = objectAt(part.functionResponse, at, "a result: { name, response }");
  losses.rest(result, ["id", "name", "response"], at);
  const name = names.read(textAt(result.name, join(at, "name"), "the function's name"));
  const id = open.answer(name, typeof result.id === "string" ? result.id : undefined);
  if (id === undefined) losses.add(join(at, "id"), "id", noCall(name, madeUp));
  return {
    toolCallId: id ?? madeUp,
    name,
    ...readResponse(objectAt(result.response ?? {}, join(at, "response")), join(at, "response"), losses),
  };
}

/** Reads a response: `{ output }` or `{ error }` by convention, but any object is allowed. */
function readResponse(response: JsonObject, path: string, losses: Losses): Pick<ToolResult, "content" | "isError"> {
  const [key, other] = Object.keys(response);
  const isKnown = other === undefined && (key === "output" || key === "error");
  const said = isKnown ? response[key] : response;
  const isError = isKnown && key === "error" && { isError: true };
  if (isKnown && typeof said === "string") return { content: said, ...isError };
  losses.add(path, "response", `a result is a text here: ${describeJson(said)} was written as JSON`);
  return { content: printJson(said), ...isError };
}
