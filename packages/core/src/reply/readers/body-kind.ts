import type { Input, Status } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { Plan } from "../../schema/plan.js";
import { factsOf } from "../../syntax/bodies.js";
import type { Body, Form } from "../../syntax/syntax.js";
import type { RepairCode, ReplyParser, ToolCall, ToolDefinition } from "../../types.js";
import type { ToolTable } from "../arguments/tool-table.js";
import type { FormNode } from "../forms/forms.js";
import type { ToolElementSearch } from "../forms/opening.js";
import type { AnswerHost } from "./action-router.js";
import type { CallHost } from "./call-router.js";

/** Reads the arguments of one call or, for a body that contains the name, the calls. */
export interface BodyReader {
  read(input: Input): Status;
  failure: string;
  tooDeep?: boolean;
  /** Whether the failure contains its own location. */
  hasPlace?: boolean;
  isBetweenValues: boolean;
  /** Whether the call's closing markers before an index may be a part of its last value. */
  closesAgain?(look: Lookahead, at: number): boolean;
  /** Completes the arguments. */
  finish?(): void;
  /** Markers that can end the call from any position in the body, if the body contains them itself. */
  ownClosers?: string[];
  /** The number of open brackets, for a body in brackets. */
  depth?: number;
  /** Closes them when the markup around the body ended before them. */
  closeAll?(): void;
}

/** The context of a body. */
export interface BodyPlace {
  /** The forms that continue after it. */
  node: FormNode;
  /** Arguments in the tag that names the tool. */
  stated: ReadonlyMap<string, string> | undefined;
  /** Markers that end the quotes or wrapping around the call. */
  around: readonly string[];
  /** The white space before it, which for YAML is the indentation. */
  gap: string;
  host: CallHost;
  answers: AnswerHost;
  repaired(code: RepairCode): void;
}

/** The context of a body that is read as a whole. */
export interface WholeBodyPlace {
  /** The forms that continue after it. */
  node: FormNode;
  tools: ToolTable;
  /** The name of the tool, unless the body contains it. */
  name: string | undefined;
}

/** The call in a body that was read as a whole. */
export interface WholeBody {
  name: string;
  arguments: object;
  /** Whether they certainly match the schema; if not, this is still to be checked. */
  matches: boolean;
  /** The arguments' text. */
  json(): string;
  /** The index after it. */
  end: number;
}

/** A call to write. */
export type WrittenCall = Pick<ToolCall, "name" | "arguments">;

/** The context for writing a body, besides its call. */
export interface WritingPlace {
  /** The plan of the tool's parameters. */
  plan: Plan;
  tools: readonly ToolDefinition[];
  /** The call's number in the reply, from 0. */
  index: number;
  /** The closing tags after the body. */
  closers: readonly string[];
}

/** Makes a parser that emits the events of another one only if the prefill and the whole reply are as they must be. */
export type ReplyCheck = (parser: ReplyParser, generateId: () => string, prefill: string) => ReplyParser;

/** A notation of arguments: how it is rendered and read. A protocol contains the kinds of its syntax. */
export interface BodyKind<B extends Body = Body> {
  readonly kind: B["body"];
  /**
   * Renders the body of a call.
   *
   * Errors: `RenderError` if this notation cannot represent a name, a key or a value.
   */
  render(body: B, call: WrittenCall, place: WritingPlace): string;
  reader(body: B, place: BodyPlace): BodyReader;
  /** Whether the body begins at an index. `plan`: the plan of a call whose arguments may be text. */
  starts(body: B, look: Lookahead, at: number, plan: Plan | undefined): boolean;
  /**
   * The search for calls of some forms that are elements named after the tools, whose tag may hold arguments of this
   * kind; `own`: the requested protocol has one of them. Undefined: there is nothing to find.
   */
  toolElements?(wanted: { forms: readonly Form[]; own: boolean }, tools: ToolTable): ToolElementSearch | undefined;
  /** Checks that the body suits the tools. Errors: `AliasError` for an alias that does not. */
  checkTools?(body: B, tools: readonly ToolDefinition[]): void;
  /**
   * Reads a body at an index of the input's text as a whole. Undefined: it is not complete, or has more than one
   * reading, and is left to the reader.
   */
  whole?(body: B, place: WholeBodyPlace, input: Input, at: number): WholeBody | undefined;
  /** The check of a whole reply, if it must be exactly this body. */
  check?(body: B): ReplyCheck | undefined;
}

/** The known kinds of bodies, by name. */
export type BodyKinds = ReadonlyMap<Body["body"], BodyKind>;

/** The reader of a body. Its kind exists, because `compile` has checked it. */
export function readerOf(body: Body, place: BodyPlace, kinds: BodyKinds): BodyReader {
  if (place.stated?.size && !factsOf(body).takesTagArguments)
    place.host.currentCall().reject("its tag holds an argument");
  return knownKind(body, kinds).reader(body, place);
}

function knownKind(body: Body, kinds: BodyKinds): BodyKind {
  const kind = kinds.get(body.body);
  if (!kind) throw new Error(`unknown body kind ${body.body}`);
  return kind;
}

/** A body that begins with one of these characters. */
export const startsWithOneOf =
  (characters: string): BodyKind["starts"] =>
  (_, { text }, at) =>
    at < text.length && characters.includes(text.charAt(at));

/** Whether a body begins at an index. `plan`: see {@link BodyKind.starts}. */
export function bodyStarts(body: Body, look: Lookahead, at: number, kinds: BodyKinds, plan?: Plan): boolean {
  return knownKind(body, kinds).starts(body, look, at, plan);
}

/** A callback that rejects the current call when its body is rejected. */
export const rejecting =
  (host: CallHost) =>
  (reason: string): void =>
    host.currentCall().reject(reason);
