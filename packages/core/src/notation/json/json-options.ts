import type { RepairCode } from "../../types.js";
import type { KnownKeys } from "../value-sink.js";

/** The context of a JSON reader. */
export interface JsonReaderOptions {
  /** Whether all quotes of an object may be escaped once more. */
  mayBeEscaped?: boolean | undefined;
  /** Called when text that is nearly JSON was read as JSON. */
  repaired?: (code: RepairCode) => void;
  /** The keys that may occur; without it they are unknown. */
  keys?: KnownKeys | undefined;
  /** Whether the markup that ends the value is at this index; undefined: more input is needed. */
  closes?: ((text: string, index: number) => boolean | undefined) | undefined;
  /** The marker that begins another value of this kind: after a number or literal, brackets may be missing before it. */
  nextOpener?: string | undefined;
  /** Raw marks that delimit strings, besides quotation marks. */
  quote?: string | undefined;
  /** Whether another object of the same outer list may follow this one. */
  siblings?: boolean | undefined;
  /** Whether the value is an item of a list that began before it. */
  isListItem?: boolean | undefined;
  /** Whether the value is an object even if its first bracket is missing. */
  isObject?: boolean;
  /** Whether Python's literals and strings are read without a repair. */
  python?: boolean;
  /** Called for braces in a Python f-string, whose value is unknown. */
  formats?: () => void;
  /** Called for arguments that can be read but cannot be used in a call. */
  rejected?: (reason: string) => void;
  /** Markers that end the quotes or wrapping around the whole value. */
  around?: readonly string[];
}
