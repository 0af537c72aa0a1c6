import { kindsIn } from "../../body-kinds.js";
import type { Protocol } from "../../protocol.js";
import type { Registry } from "../../registry.js";
import { closersOf, markerOf, openersOf } from "../../syntax/spelling.js";
import {
  type ActionBody,
  type AttributesBody,
  type Form,
  formsOf,
  isBodyOf,
  isSlot,
  isToolElement,
  type Messages,
  type Part,
  type Span,
} from "../../syntax/syntax.js";
import type { OwnedForm } from "../../syntax/tokens.js";
import type { BodyKinds } from "../body-kind.js";
import type { NameBracket } from "./bare-names.js";
import { callTags } from "./call-opener.js";
import { turnSpans } from "./end-tokens.js";
import { compileForms, type FormNode } from "./forms.js";
import { Markers } from "./scanner.js";

/** What a parser looks for. */
export interface Compiled {
  forms: FormNode;
  markers: Markers;
  /** The markers of calls in the protocol asked for. */
  ownMarkers: ReadonlySet<string | undefined>;
  /** Calls without a marker, which end the reply: those of the protocol asked for, and those of any. */
  bare: { own: FormNode | undefined; any: FormNode | undefined };
  /** What follows the tool's name in calls of the protocol asked for that begin with it. */
  nameBrackets: readonly NameBracket[];
  /** Forms whose markers are the tools' names; `own`: the protocol asked for has one of them. */
  toolElements: { forms: readonly Form[]; own: boolean };
  /** The messages a reply may consist of, and how a call goes on behind a header that names its tool. */
  messages: (Messages & { bodies: FormNode }) | undefined;
  /** The whole reply must be this object to the letter. */
  strict: ActionBody | undefined;
  /** The bodies of the protocol asked for whose names may be aliases. */
  aliased: readonly AttributesBody[];
  /** Whether a tag of this name opens calls in any of the registered protocols, or a block of them. */
  opensCalls(name: string): boolean;
  /** What reads the bodies. */
  bodies: BodyKinds;
}

type Accept = "any" | "own" | "none";

/** By the protocol asked for, or the registry for `auto`; then by what is registered. */
const compiled = new WeakMap<object, WeakMap<Registry, Partial<Record<Accept, Compiled>>>>();

/**
 * The forms and markers of a protocol, made once. `any`: those of all registered ones as well, and bare JSON; `none`:
 * no calls at all.
 *
 * Errors: `ProtocolError` with code `unknown-body` for a body that the protocol does not bring what reads it.
 */
export function compile(registry: Registry, protocol: Protocol | "auto", accept: Accept): Compiled {
  const owner = protocol === "auto" ? registry : protocol;
  const known = compiled.get(owner) ?? new WeakMap<Registry, Partial<Record<Accept, Compiled>>>();
  const made = known.get(registry) ?? {};
  if (made[accept]) return made[accept];
  compiled.set(owner, known.set(registry, made));
  made[accept] = compileOnce(registry, protocol, accept);
  return made[accept];
}

function compileOnce(registry: Registry, protocol: Protocol | "auto", accept: Accept): Compiled {
  const all: Protocol[] = Object.values(registry);
  const any = accept !== "own";
  const chosen =
    protocol === "auto" ? all : any ? [protocol, ...all.filter((other) => other !== protocol)] : [protocol];
  const known = protocol === "auto" || all.includes(protocol) ? all : [protocol, ...all];
  const kinds = known.flatMap((each) => each.bodies ?? []);
  const bodyKinds: BodyKinds = new Map(
    chosen.flatMap((each) => kindsIn(each.syntax, kinds)).map((kind) => [kind.kind, kind]),
  );
  const isOwn = (candidate: Protocol) => candidate === protocol;
  const forms: OwnedForm[] =
    accept === "none"
      ? []
      : chosen.flatMap((each) =>
          formsOf(each.syntax).flatMap((form) => (isOwn(each) ? { ...form, own: true } : isMessage(form) ? [] : form)),
        );
  const spans = new Map<string, Span>(turnSpans.map((span) => [span.open, span]));
  const noise = new Set<string>();
  for (const each of chosen) {
    const counts = (marker: string) => isOwn(each) || isToken(marker);
    for (const span of each.syntax.spans ?? [])
      if (counts(span.open) && !spans.has(span.open)) spans.set(span.open, span);
    for (const marker of each.syntax.noise ?? []) if (counts(marker)) noise.add(marker);
  }
  const messages = merge(chosen.flatMap(({ syntax }) => syntax.messages ?? []));
  for (const marker of messages ? [messages.text, ...messages.close] : []) noise.add(marker);
  const bodies = forms.flatMap((form) => bodyAfter(messages, form));
  const toolElements = {
    forms: forms.filter(isToolElement),
    own: protocol !== "auto" && formsOf(protocol.syntax).some(isToolElement),
  };
  const isMarked = (form: Form) => form.at !== "reply" && bodyAfter(messages, form).length === 0;
  const root = compileForms(forms.filter((form) => isMarked(form) && !isToolElement(form)));
  const whole = forms.filter(({ at }) => at === "reply");
  const own = protocol === "auto" ? [] : formsOf(protocol.syntax).filter(({ at }) => at === "reply");
  const bareJson = bodyKinds.has("json-call") ? jsonCalls : [];
  const bare = {
    own: accept === "none" ? undefined : tree(own),
    any: accept === "none" ? undefined : tree(any ? [...own, ...bareJson, ...whole] : own),
  };
  const nameBrackets = accept === "none" ? [] : own.flatMap(bracketAfterName);
  const tags = toolElements.forms.length > 0;
  const markers = new Markers(root, [...spans.values()], messages, [...noise], closingTags(forms), tags);
  const ownMarkers = new Set(protocol === "auto" ? [] : formsOf(protocol.syntax).flatMap(openersOf).map(markerOf));
  const aliased = protocol === "auto" ? [] : aliasedBodies(protocol);
  // Without tools the format was not asked for.
  const strict = protocol === "auto" || accept === "none" ? undefined : protocol.syntax.call.find(isStrict);
  const named = messages && { ...messages, bodies: compileForms(bodies) };
  const opensCalls = callTags(known.map(({ syntax }) => syntax));
  return {
    forms: root,
    markers,
    ownMarkers,
    bare,
    nameBrackets,
    toolElements,
    messages: named,
    strict,
    aliased,
    opensCalls,
    bodies: bodyKinds,
  };
}

/** The messages of several formats, which are told apart by what their headers say. */
function merge(all: readonly Messages[]): Messages | undefined {
  const [first] = all;
  const union = (list: (messages: Messages) => string[]) => [...new Set(all.flatMap(list))];
  return (
    first && {
      ...first,
      open: union(({ open }) => open),
      close: union(({ close }) => close),
      reasoning: union(({ reasoning }) => reasoning),
    }
  );
}

/** What comes behind the header of a call that names its tool there; any end of a message may close it. */
function bodyAfter(messages: Messages | undefined, { call }: Form): Form[] {
  const header = call.findIndex((part) => typeof part === "string" && messages && part.endsWith(messages.text));
  const bodies = call.slice(header + 1).filter((part) => typeof part !== "string");
  return header < 0 || !messages ? [] : messages.close.map((close) => ({ call: [...bodies, close] }));
}

/** The closing tags and tokens of calls and blocks: after a call they may stand where none is open. */
const closingTags = (forms: readonly Form[]): string[] => [
  ...new Set(
    forms.flatMap((form) => {
      const { call, block } = closersOf(form);
      return [...call, ...block].filter((marker) => /^<[^<>]*[^<>/][^<>]*>$/.test(marker));
    }),
  ),
];

/**
 * Whether a marker is none that ordinary text holds: a token, or a tag that only models write. Words and plain tags, such
 * as `<response>`, part the text only in the format that was asked for.
 */
const isToken = (marker: string) => /[|｜]|^\[\/?[A-Z_]+\]|^<\/?(?:think|[^\s<>]*[_:])/.test(marker);

const isStrict = (part: Part): part is ActionBody => isBodyOf(part, "action") && part.strict !== undefined;

/** An object that is a whole message begins like any other: it counts in its own protocol only. */
const isMessage = ({ call: [first] }: Form) => isBodyOf(first, "action");

const aliasedBodies = (protocol: Protocol): AttributesBody[] =>
  formsOf(protocol.syntax).flatMap(({ call }) =>
    call.flatMap((part) => (isBodyOf(part, "attributes") && part.aliases ? [part] : [])),
  );

/** The bracket after the name that a form begins with, in a list or not. */
const bracketAfterName = ({ call: [first, ...rest] }: Form): NameBracket[] => {
  if (!isSlot(first) || first.slot !== "name") return [];
  if (rest.some((part) => isBodyOf(part, "python-arguments"))) return ["("];
  return rest.some((part) => isBodyOf(part, "json")) ? ["{"] : [];
};

const tree = (forms: readonly Form[]) => (forms.length > 0 ? compileForms(forms) : undefined);

const jsonCall: Form["call"] = [{ body: "json-call", name: "name", arguments: "arguments" }];

/** What models fall back to: the common shape, one object, several with a semicolon between them, or a list. */
const jsonCalls: Form[] = [
  { at: "reply", block: { open: "", separator: ";", close: "" }, call: jsonCall },
  { at: "reply", block: { open: "[", separator: ",", close: "]" }, call: jsonCall },
];
