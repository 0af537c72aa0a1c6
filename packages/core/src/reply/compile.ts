import type { Form, Protocol, Span } from "../protocol.js";
import { protocols } from "../protocols/index.js";
import { compileForms, type FormNode } from "./forms.js";
import { Markers } from "./scanner.js";

/** What a parser looks for. */
export interface Compiled {
  forms: FormNode;
  markers: Markers;
  /** Calls in JSON without a marker, which are the whole reply. */
  bare: boolean;
}

const compiled = new WeakMap<object, Map<string, Compiled>>();

/**
 * The forms and markers of a protocol, made once. `any`: those of all registered ones as well, and bare JSON; `none`:
 * no calls at all.
 */
export function compile(protocol: Protocol | "auto", accept: "any" | "own" | "none"): Compiled {
  const all: Protocol[] = Object.values(protocols);
  const owner = protocol === "auto" ? protocols : protocol;
  const cache = compiled.get(owner) ?? new Map<string, Compiled>();
  compiled.set(owner, cache);
  const known = cache.get(accept);
  if (known) return known;
  const any = accept !== "own";
  const chosen =
    protocol === "auto" ? all : any ? [protocol, ...all.filter((other) => other !== protocol)] : [protocol];
  const forms = accept === "none" ? [] : chosen.flatMap(({ syntax }): Form[] => [syntax, ...(syntax.also ?? [])]);
  const spans = new Map<string, Span>();
  for (const span of chosen.flatMap(({ syntax }) => syntax.spans ?? []))
    if (!spans.has(span.open)) spans.set(span.open, span);
  const root = compileForms(forms.filter(({ at }) => at !== "reply"));
  const bare = any || forms.some(({ at }) => at === "reply");
  const made = { forms: root, markers: new Markers(root, [...spans.values()]), bare };
  cache.set(accept, made);
  return made;
}
