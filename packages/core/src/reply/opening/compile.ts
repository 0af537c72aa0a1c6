import { kindsIn } from "../../body-kinds.js";
import { oncePer, oncePerPair } from "../../common/once-per.js";
import type { Protocol } from "../../protocol.js";
import type { Registry } from "../../registry.js";
import { factsOf } from "../../syntax/bodies.js";
import { jsonCall } from "../../syntax/parts.js";
import { reasoningSpans } from "../../syntax/reasoning-spans.js";
import { closersOf, isToken, markerOf, openersOf } from "../../syntax/spelling.js";
import {
  type Form,
  formsOf,
  isBare,
  isBody,
  isToolElement,
  type Messages,
  type Part,
  type Span,
  type Syntax,
  spansOf,
} from "../../syntax/syntax.js";
import { inAllSpellings } from "../../syntax/token-spellings.js";
import { callTokens, type OwnedForm } from "../../syntax/tokens.js";
import { turnSpans, turnsAfterCalls } from "../../syntax/turn-tokens.js";
import type { ToolDefinition } from "../../types.js";
import type { ToolTable } from "../arguments/tool-table.js";
import { callTags } from "../forms/call-opener.js";
import { compileForms, type FormNode } from "../forms/forms.js";
import { holdsName, isMessage } from "../forms/match-token.js";
import type { ToolElementSearch } from "../forms/opening.js";
import type { BodyKinds, ReplyCheck } from "../readers/body-kind.js";
import type { NameStart } from "./bare-names.js";
import { labelledTurn } from "./bare-role.js";
import { Markers } from "./marker-index.js";
import { otherForms } from "./other-forms.js";

/** The forms and markers of a parser. */
export interface Compiled {
  forms: FormNode;
  markers: Markers;
  /** The beginnings of turns that end the reply: those of the requested protocol, which a sentence may mention, and all. */
  turns: { own: ReadonlySet<Span>; any: ReadonlySet<Span> };
  /** Whether reasoning begins with this marker in other protocols than the requested one alone. */
  isOthersReasoning(marker: string): boolean;
  /** The call markers of the requested protocol. */
  ownMarkers: ReadonlySet<string | undefined>;
  /** Calls without a marker, which end the reply: those of the requested protocol, and those of all. */
  bare: { own: FormNode | undefined; any: FormNode | undefined };
  /** Calls of the requested protocol that are read only where the reply begins. */
  atStart: FormNode | undefined;
  /** Whether the requested protocol writes calls in Python. */
  writesPython: boolean;
  /** Whether the requested format writes a call as an object with its name, with or without markers around it. */
  writesObjects: boolean;
  /** Whether the requested format is Python without a marker. */
  isPython: boolean;
  /** How calls of the requested protocol begin that have no marker but the tool's name. */
  nameStarts: readonly NameStart[];
  /** The search for calls whose markers are the tools' names. */
  toolElements(tools: ToolTable): ToolElementSearch | undefined;
  /** The messages of a reply, and the forms that continue a call after a header that names its tool. */
  messages: (Messages & { bodies: FormNode }) | undefined;
  /** The check of a whole reply, if the requested protocol has one. */
  check: ReplyCheck | undefined;
  /** Checks that the requested protocol suits the tools. Errors: `AliasError`. */
  checkTools(tools: readonly ToolDefinition[]): void;
  /** Whether a tag of this name opens a call, or a block of calls, in any registered protocol. */
  opensCalls(name: string): boolean;
  /** The readers of bodies. */
  bodies: BodyKinds;
  /** The stop sequences. */
  stops: ReadonlySet<string>;
}

type Accept = "any" | "own" | "none";

/** The cache, by the requested protocol (or by the registry for `auto`), then by the registry. */
const compiledFor = oncePerPair((_owner: object, _registry: Registry): Partial<Record<Accept, Compiled>> => ({}));

/**
 * The forms and markers of a protocol, cached. `any`: with those of all registered protocols, and bare JSON; `none`:
 * without calls.
 *
 * Errors: `ProtocolError` with code `unknown-body` for a body whose kind the protocol does not contain.
 */
export function compile(registry: Registry, protocol: Protocol | "auto", accept: Accept): Compiled {
  const compiled = compiledFor(protocol === "auto" ? registry : protocol, registry);
  compiled[accept] ??= compileOnce(registry, protocol, accept);
  return compiled[accept];
}

function compileOnce(registry: Registry, protocol: Protocol | "auto", accept: Accept): Compiled {
  const all: Protocol[] = Object.values(registry);
  const any = accept !== "own";
  const chosen =
    protocol === "auto" ? all : any ? [protocol, ...all.filter((other) => other !== protocol)] : [protocol];
  const known = protocol === "auto" || all.includes(protocol) ? all : [protocol, ...all];
  const bodies = any && known === all ? bodiesOf(registry) : bodiesIn(chosen, known);
  const isCalling = accept !== "none";
  const forms = isCalling ? chosen.flatMap((each) => formsFor(each, protocol)) : [];
  const ownForms = protocol === "auto" ? [] : formsOf(protocol.syntax);
  const messages = merge(chosen.flatMap(({ syntax }) => syntax.messages ?? []));
  const elements = { forms: forms.filter(isToolElement), own: ownForms.some(isToolElement) };
  const afterHeaders = forms.flatMap((form) => bodyAfter(messages, form));
  const isMarked = (form: Form) => !isBare(form) && !isToolElement(form) && bodyAfter(messages, form).length === 0;
  const others = (form: OwnedForm) =>
    any && !form.own ? otherFormsOnce(bodies, form) : otherForms({ ...form, asked: false }, bodies, any);
  const marked = forms.filter(isMarked).flatMap((form) => [form, ...others(form)]);
  const root = compileForms(marked);
  const tags = elements.forms.length > 0;
  const parts = { forms: root, messages, closers: closingTags(forms), tags };
  const own = ownForms.filter(({ at }) => at === "reply");
  const ownSpans = new Set(protocol === "auto" ? [] : spansOf(protocol.syntax).map(({ open }) => open));
  const ownTurns = protocol === "auto" ? [] : turnsOf(protocol.syntax);
  const turns = [...turnSpans, ...ownTurns];
  const ownBodies = ownForms.flatMap(({ call }) => call.filter(isBody));
  const [findElements] = [...bodies.values()].flatMap((kind) => kind.toolElements ?? []);
  return {
    forms: root,
    markers: new Markers({ ...parts, ...spansAndNoise(chosen, protocol, messages, turns) }),
    turns: { own: new Set(ownTurns), any: new Set([...turns, labelledTurn]) },
    isOthersReasoning: (marker) => protocol !== "auto" && !ownSpans.has(marker),
    ownMarkers: new Set(ownForms.flatMap(openersOf).map(markerOf)),
    ...bareTrees(isCalling ? ownForms : [], any ? forms : [], isCalling && any && bodies.has(jsonCall.body)),
    writesPython: ownForms.some(hasPython),
    writesObjects: ownForms[0]?.call.some((part) => isBody(part) && holdsName(part)) === true,
    isPython: own.some(hasPython),
    nameStarts: isCalling ? own.flatMap(nameStart) : [],
    toolElements: (tools) => findElements?.(elements, tools),
    messages: messages && { ...messages, bodies: compileForms(afterHeaders) },
    // Without tools, the format was not requested.
    check: protocol === "auto" || !isCalling ? undefined : checkOf(protocol.syntax.call, bodies),
    checkTools(tools) {
      for (const body of ownBodies) bodies.get(body.body)?.checkTools?.(body, tools);
    },
    opensCalls: callTags(known.map(({ syntax }) => syntax)),
    bodies,
    stops: new Set(chosen.flatMap(({ syntax }) => syntax.stop ?? [])),
  };
}

/** The readers of the bodies that some protocols contain, of those that all known protocols bring. */
function bodiesIn(chosen: readonly Protocol[], known: readonly Protocol[]): BodyKinds {
  const kinds = known.flatMap((each) => each.bodies ?? []);
  return new Map(chosen.flatMap((each) => kindsIn(each.syntax, kinds)).map((kind) => [kind.kind, kind]));
}

const bodiesOf = oncePer((registry: Registry) => bodiesIn(Object.values(registry), Object.values(registry)));

/** The same for each protocol that is requested, if another one of the registry is. */
const otherFormsOnce = oncePerPair((bodies: BodyKinds, form: OwnedForm) => otherForms(form, bodies, true));

/** The forms of a protocol that are read where another one is requested, or this one. */
const formsFor = (each: Protocol, requested: Protocol | "auto"): OwnedForm[] =>
  formsOf(each.syntax).flatMap((form, i) =>
    each === requested ? { ...form, own: true, asked: i === 0 } : isMessageForm(form) ? [] : form,
  );

const turnsOf = ({ turns = [] }: Syntax): Span[] => turns.map((open) => ({ open, as: "dropped" }));

/**
 * The spans of these protocols, and their markers without a meaning. Those that are no tokens count only in the requested one.
 */
function spansAndNoise(
  chosen: readonly Protocol[],
  requested: Protocol | "auto",
  messages: Messages | undefined,
  turns: readonly Span[],
) {
  const spans = new Map<string, Span>(
    [...turnsAfterCalls, ...turns, ...reasoningSpans].map((span) => [span.open, span]),
  );
  const noise = new Set<string>();
  for (const each of chosen) {
    const counts = (marker: string) => each === requested || isToken(marker);
    for (const span of spansOf(each.syntax)) if (counts(span.open) && !spans.has(span.open)) spans.set(span.open, span);
    for (const marker of inAllSpellings(each.syntax.noise ?? [])) if (counts(marker)) noise.add(marker);
  }
  for (const marker of messages ? [messages.text, ...messages.close] : []) noise.add(marker);
  return { spans: [...spans.values()], noise: [...noise] };
}

/** The calls without a marker: those of the requested protocol, and where other forms count, those of all. */
function bareTrees(own: readonly Form[], all: readonly Form[], readsJson: boolean): Pick<Compiled, "atStart" | "bare"> {
  const whole = own.filter(({ at }) => at === "reply");
  return {
    bare: {
      own: tree(whole),
      any: tree([...whole, ...(readsJson ? jsonCalls : []), ...all.filter(({ at }) => at === "reply")]),
    },
    atStart: tree(own.filter(({ at }) => at === "start")),
  };
}

const hasPython = ({ call }: Form) => call.some((part) => isBody(part) && factsOf(part).language === "python");

/** The messages of several formats, which differ by their headers. */
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

/** The forms after the header of a call that names its tool there; any end of a message may close it. */
function bodyAfter(messages: Messages | undefined, { call }: Form): OwnedForm[] {
  const header = call.findIndex((part) => typeof part === "string" && messages && part.endsWith(messages.text));
  const bodies = call.slice(header + 1).filter((part) => typeof part !== "string");
  return header < 0 || !messages
    ? []
    : messages.close.map((close) => ({ call: [...bodies, close], lead: call[header] as string }));
}

/** The closing tags and tokens of calls and blocks: after a call they may occur even if none is open. */
const closingTags = (forms: readonly Form[]): string[] => [...new Set(forms.flatMap(closingTagsOf))];

const closingTagsOf = oncePer((form: Form): string[] => {
  const { call, block } = closersOf(form);
  return [...call, ...block].filter((marker) => CLOSING_TAG.test(marker));
});

/** A tag, or a token like one, with its mark. */
const CLOSING_TAG = /^(?:\].*\[)?<[^<>]*[^<>/][^<>]*>$/;

/** The check of replies that must be exactly one body. */
function checkOf(call: readonly Part[], bodyKinds: BodyKinds): ReplyCheck | undefined {
  for (const part of call) {
    const check = isBody(part) && bodyKinds.get(part.body)?.check?.(part);
    if (check) return check;
  }
  return undefined;
}

/** An object that is a whole message begins like any other object, so it counts only in its own protocol. */
const isMessageForm = ({ call: [first] }: Form) => isBody(first) && isMessage(first);

/**
 * What is around the name that a form begins with, inside a list or not: the text before it, if any, and the marker or the
 * arguments after it. A call within other code, `print(add())`, counts as a whole reply only.
 */
function nameStart(form: Form): NameStart[] {
  const [first] = form.call;
  const before = typeof first === "string" ? first : "";
  const name = callTokens(form)[before === "" ? 0 : 1];
  const [after] = name?.kind === "name" ? name.ends : [];
  return after !== undefined && isBody(form.call.at(-1)) ? [{ before, after }] : [];
}

const tree = (forms: readonly Form[]) => (forms.length > 0 ? compileForms(forms) : undefined);

/** The fallback of models: the common shape, as one object, several separated by semicolons, or a list. */
const jsonCalls: Form[] = [
  { at: "reply", block: { open: "", separator: ";", close: "" }, call: [jsonCall] },
  { at: "reply", block: { open: "[", separator: ",", close: "]" }, call: [jsonCall] },
];
