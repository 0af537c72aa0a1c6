import { isPlainObject } from "../../common/plain-object.js";
import { type JsonObject, join } from "../../schema/json.js";
import type { ToolCall } from "../../types.js";
import { ProviderFormatError } from "./expect.js";
import type { Losses } from "./losses.js";

/** Far more levels than any call needs, and far fewer than the stack allows. */
const MAX_LEVELS = 1_000;

/**
 * The value as plain JSON. Other values are reported; a value that contains itself is a {@link ProviderFormatError}.
 */
export function plainData(value: unknown, path: string, losses: Losses): unknown {
  return new PlainData(losses).of(value, path);
}

/** The arguments of a call as plain JSON. */
export const plainArguments = (call: ToolCall, path: string, losses: Losses): JsonObject =>
  plainData(call.arguments, join(path, "arguments"), losses) as JsonObject;

class PlainData {
  /** The objects that contain the current value. */
  private readonly inside = new Set<object>();

  constructor(private readonly losses: Losses) {}

  of(value: unknown, path: string): unknown {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return this.number(value, path);
    if (Array.isArray(value)) {
      return this.within(value, path, () => value.map((item, i) => this.of(item ?? null, join(path, i))));
    }
    if (isPlainObject(value)) return this.within(value, path, () => this.object(value, path));
    this.losses.add(path, typeof value, "is not plain data: written as text");
    return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : String(value);
  }

  private number(value: number, path: string): number | null {
    if (Number.isFinite(value) && !Object.is(value, -0)) return value;
    this.losses.add(path, String(value), `JSON has no ${Object.is(value, -0) ? "-0" : value}`);
    return Object.is(value, -0) ? 0 : null;
  }

  private object(value: JsonObject, path: string): JsonObject {
    const entries = Object.entries(value).filter(([key, part]) => this.isWritten(part, join(path, key)));
    return Object.fromEntries(entries.map(([key, part]) => [key, this.of(part, join(path, key))]));
  }

  private isWritten(value: unknown, path: string): boolean {
    const isCode = typeof value === "function" || typeof value === "symbol";
    if (isCode) this.losses.add(path, typeof value, "is not data: omitted");
    return value !== undefined && !isCode;
  }

  private within<T>(value: object, path: string, read: () => T): T {
    if (this.inside.has(value)) throw new ProviderFormatError(path, "data that does not contain itself", value);
    if (this.inside.size >= MAX_LEVELS) throw new ProviderFormatError("", `data at most ${MAX_LEVELS} levels deep`, {});
    this.inside.add(value);
    const result = read();
    this.inside.delete(value);
    return result;
  }
}
