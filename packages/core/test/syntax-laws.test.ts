import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyBody } from "../src/bodies/index.js";
import { forbiddenOpeners } from "../src/grammar/calls/openers.js";
import { GrammarError, toolCallGrammar } from "../src/grammar/index.js";
import { type Protocol, parseReply, protocols, type ToolDefinition, ToolinguaError } from "../src/index.js";
import { createEscaper } from "../src/prompt/escape.js";
import { renderCalls } from "../src/render.js";
import { openersOf, type Spelling } from "../src/syntax/spelling.js";
import { guardOf, namedMarkersOf } from "../src/syntax/spelling-pattern.js";
import { type Form, formsOf } from "../src/syntax/syntax.js";
import { ToolNames } from "../src/syntax/tool-names.js";
import { runs } from "./support/runs.js";

// The beginning of a form is computed in one place (src/syntax); these laws verify that all its users agree.

const tools: ToolDefinition[] = [
  {
    name: "add",
    parameters: {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      required: ["a", "b"],
    },
  },
];
const names = tools.map(({ name }) => name);
const all: Protocol[] = Object.values(protocols);

const forms = all.flatMap((protocol) =>
  formsOf(protocol.syntax).map((form, i) => ({ title: `${protocol.name} ${i}`, protocol, form })),
);
const marked = forms.filter(({ form }) => openersOf(form).some(({ kind }) => kind !== "object"));

/**
 * A call in this form. Some forms are only read: they cannot represent a call without arguments, or have no bare names.
 */
function written(form: Form): string | undefined {
  try {
    return renderCalls({ ...form, parallel: true }, [{ name: "add", arguments: { a: 1, b: 2 } }], tools, everyBody);
  } catch (error) {
    if (error instanceof ToolinguaError) return undefined;
    throw error;
  }
}

const recased = (text: string) => fc.constantFrom(text, text.toLowerCase(), text.toUpperCase());

/** The beginning of a call as a model may write it: the spelling's own, and every other that it covers. */
function respelled(spelling: Spelling): fc.Arbitrary<(call: string) => string> {
  switch (spelling.kind) {
    case "tag": {
      const local = spelling.name.slice(spelling.name.indexOf(":") + 1);
      const prefix = fc.oneof(fc.constant(""), fc.stringMatching(/^[\p{L}_][\p{L}\p{N}_.-]{0,8}:$/u));
      const renamed = fc.tuple(prefix, recased(local)).map(([before, name]) => before + name);
      // Only a whole tag is read with white space before its name, or with Markdown's escapes.
      const others = [` ${spelling.name}`, spelling.name.replaceAll("_", "\\_")];
      const name = spelling.attributes ? renamed : fc.oneof(renamed, fc.constantFrom(...others));
      return name.map((written) => (call) => call.replaceAll(spelling.name, written));
    }
    case "label":
      return fc
        .tuple(
          fc.constantFrom("", "**", "- ", "## "),
          recased(spelling.text.slice(0, -1)),
          fc.constantFrom("", " 2", "**"),
          fc.constantFrom(":", "："),
        )
        .map(
          ([before, words, after, colon]) =>
            (call) =>
              call.replace(spelling.text, before + words + after + colon),
        );
    case "line":
      return fc.constantFrom("", " ", "\t  ").map((indent) => (call) => indent + call);
    case "tool-tag":
      return fc
        .constantFrom("add", "ADD", "a_d-d", "functions.add", "Add.", "_add", "addadd")
        .map((name) => (call) => call.replace(/(<\/?)add/g, `$1${name}`));
    default:
      return fc.constant((call) => call);
  }
}

/** The index of one of these spellings in a text, alone or with a tool's name. */
function markersIn(text: string, spellings: readonly Spelling[]): number[] {
  const tools = new ToolNames(names);
  const found = (pattern: string) => [...text.matchAll(new RegExp(`(?=${pattern}).`, "giu"))];
  const own = spellings.flatMap((one) => guardOf(one).text).flatMap((pattern) => found(pattern.join("")));
  const named = spellings
    .flatMap(namedMarkersOf)
    .filter(({ isPhrase }) => !isPhrase)
    .flatMap(({ pattern }) => found(pattern.join("")).filter(({ 1: name = "" }) => tools.has(name)));
  return [...own, ...named].map(({ index }) => index);
}

const callsIn = (text: string, protocol: Protocol) => {
  const { toolCalls, invalidToolCalls } = parseReply(text, { protocol, accept: "own", tools });
  return toolCalls.length + invalidToolCalls.length;
};

describe.each(marked)("$title", ({ protocol, form }) => {
  const call = written(form);
  const spellings = openersOf(form);
  const escaper = createEscaper([protocol], { tools: names });
  /** Escaping breaks markers, so calls without one are still read. */
  const isReadBare = [protocol.syntax, ...(protocol.syntax.also ?? [])].some(({ at }) => at === "reply");
  const isFound = { test: (text: string) => markersIn(text, spellings).length > 0 };

  test("is read in every spelling, and none of them remains in escaped text", () => {
    if (call === undefined) return;
    fc.assert(
      fc.property(
        fc.oneof(...spellings.map(respelled)),
        fc.constantFrom("", "Some words.\n", "Some words.\n\n"),
        (respell, before) => {
          const text = before + respell(call);
          expect({ text, calls: callsIn(text, protocol) > 0 }).toEqual({ text, calls: true });
          const escaped = escaper.escape(text);
          expect({ escaped, found: isFound.test(escaped) }).toEqual({ escaped, found: false });
          if (!isReadBare) expect({ escaped, calls: callsIn(escaped, protocol) }).toEqual({ escaped, calls: 0 });
          expect(escaper.unescape(escaped)).toBe(text);
        },
      ),
      runs(15),
    );
  });

  test("is excluded from an answer by the grammar if the parser would find it", () => {
    const { also: _, ...alone } = { also: undefined, parallel: true, ...form };
    const found = forbiddenOpeners(alone, tools);
    expect(found).not.toEqual([]);
    for (const { marker } of found) {
      // What follows a marker may be part of its spelling: a name, the end of a tag.
      const begun = ["", " ", ">", "add", "add {", "{"].map((next) => marker + next);
      expect({ marker, found: begun.some((text) => isFound.test(text)) }).toEqual({ marker, found: true });
    }
    if (call === undefined) return;
    const markers = found.map(({ marker }) => marker.trim().toLowerCase());
    expect({ call, forbidden: markers.some((marker) => call.toLowerCase().includes(marker)) }).toMatchObject({
      forbidden: true,
    });
  });
});

describe.each(all.map((protocol) => ({ name: protocol.name, protocol })))("a lazy grammar of $name", ({ protocol }) => {
  test("is started by a spelling of the call's opener", () => {
    const grammar = lazyGrammar(protocol);
    const call = written(protocol.syntax);
    if (!grammar || call === undefined) return;
    for (const { type, value } of grammar.triggers ?? []) {
      const trigger = new RegExp(type === "word" ? value.replace(/[.^$|()*+?[\]{}\\]/g, "\\$&") : value);
      const found = trigger.exec(call);
      expect({ call, value, found: found !== null }).toEqual({ call, value, found: true });
      const opens = markersIn(call, openersOf(protocol.syntax)).includes(found!.index);
      expect({ call, value, opens }).toEqual({ call, value, opens: true });
    }
  });
});

function lazyGrammar(protocol: Protocol) {
  try {
    return toolCallGrammar({ tools, protocol, toolChoice: "auto", lazy: true });
  } catch (error) {
    if (error instanceof GrammarError) return undefined;
    throw error;
  }
}
