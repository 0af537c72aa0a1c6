import type { Plan } from "../schema/plan.js";
import type { Body } from "../syntax/syntax.js";
import type { ToolCall, ToolDefinition } from "../types.js";
import type { AnswerHost } from "./bodies/action-router.js";
import type { CallHost } from "./bodies/call-router.js";
import { type Input, type Status, standsFirst } from "./input.js";
import type { FormNode } from "./opening/forms.js";
import type { ReplyParser } from "./reply-parser.js";

/** Reads the arguments of one call, or, of a body that holds the name as well, the calls. */
export interface BodyReader {
  read(input: Input): Status;
  failure: string;
  tooDeep?: boolean;
  /** The failure says where it is itself. */
  tellsWhere?: boolean;
  isBetweenValues: boolean;
  /** What closes the last value may be a part of it. */
  mayGoOn?: boolean;
  /** The arguments are complete. */
  finish?(): void;
  /** The markers that can end the call from anywhere in the body, where it holds them itself. */
  ownClosers?: string[];
  /** How many brackets are open, of a body in brackets. */
  depth?: number;
  /** Closes them, when the markup around the body has ended before its brackets did. */
  closeAll?(): void;
}

/** Where a body stands. */
export interface BodyPlace {
  /** What comes behind it. */
  node: FormNode;
  /** Arguments that stand in the tag which names the tool. */
  stated: ReadonlyMap<string, string> | undefined;
  /** What ends the quotes, or the like, that the call stands in. */
  around: readonly string[];
  /** The white space before it: of YAML it is the indentation. */
  gap: string;
  host: CallHost;
  answers: AnswerHost;
  repaired(code: string): void;
}

/** A call that is to be written. */
export type WrittenCall = Pick<ToolCall, "name" | "arguments">;

/** What the writing of a body depends on besides its call. */
export interface WritingPlace {
  /** What the tool's parameters are. */
  plan: Plan;
  tools: readonly ToolDefinition[];
  /** The call's number in the reply, from 0. */
  index: number;
  /** The closing tags after the body. */
  closers: readonly string[];
}

/** A way to write arguments: how calls are rendered in it and how they are read. A protocol brings those of its syntax. */
export interface BodyKind<B extends Body = Body> {
  readonly kind: B["body"];
  /**
   * The body of a call.
   *
   * Errors: `RenderError` where this way of writing cannot hold a name, a key or a value.
   */
  render(body: B, call: WrittenCall, place: WritingPlace): string;
  reader(body: B, place: BodyPlace): BodyReader;
  /** A parser that rejects a reply which is not this body and nothing else, around the one that reads it. */
  exactly?(body: B, parser: ReplyParser, generateId: () => string): ReplyParser;
}

/** The ways to write arguments that can be read, by their names. */
export type BodyKinds = ReadonlyMap<Body["body"], BodyKind>;

/** What reads a body. Its kind is there: `compile` has looked. */
export function readerOf(body: Body, place: BodyPlace, kinds: BodyKinds): BodyReader {
  if (place.stated?.size && body.body !== "elements") place.host.currentCall().reject("its tag holds an argument");
  const kind = kinds.get(body.body);
  if (!kind) throw new Error(`no kind of body is called ${body.body}`);
  return kind.reader(body, place);
}

/** Says whether one of the markers that can follow a body is at an index; undefined: more input is needed. */
export const closesAt =
  (markers: readonly string[]) =>
  (text: string, index: number): boolean | undefined =>
    standsFirst(markers, text, index);

/** Rejects the call that is being read when the body is. */
export const rejecting =
  (host: CallHost) =>
  (reason: string): void =>
    host.currentCall().reject(reason);
