import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeRegExp } from "../common/escape-reg-exp.js";
import { protocols } from "../protocols/index.js";
import { openersOf } from "../syntax/spelling.js";
import { formsOf } from "../syntax/syntax.js";
import { answerTokens, beginTokens, endTokens, headTokens, turnsAfterCalls } from "../syntax/turn-tokens.js";
import { listTools } from "../tool-text/index.js";
import { createEscaper, escapeText, unescapeText } from "./escape.js";
import { framesOf } from "./frames.js";
import { markersOf, templateMarkers } from "./markers.js";

const all = Object.values(protocols);
const openersIn = ({ syntax }: (typeof all)[number]) =>
  formsOf(syntax)
    .flatMap(openersOf)
    .map(({ kind }) => kind);
const shaped = [
  "<|im_start|>",
  "<|im_end|>",
  "<|eot_id|>",
  "<|python_tag|>",
  "<｜end▁of▁sentence｜>",
  "<|turn>",
  "<turn|>",
];
// A tokenizer has none of the spellings with a space.
const ends = endTokens.filter((token) => !token.includes(" "));
const markers = [...all.flatMap((protocol) => markersOf(protocol.syntax)), ...templateMarkers, ...ends, ...shaped];

/** Markers in any case, with spaces inside, cut anywhere. */
const marker = fc.constantFrom(...markers);
const variant = fc.oneof(
  marker,
  marker.map((text) => text.toUpperCase()),
  marker.map((text) => text.replace(/^</, "< ").replace(/>$/, " >")),
  fc.tuple(marker, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
  fc.tuple(marker, fc.nat()).map(([text, at]) => text.slice(at % (text.length + 1))),
);
const spliced = fc
  .array(fc.oneof({ weight: 2, arbitrary: variant }, { weight: 1, arbitrary: fc.string({ unit: "binary" }) }))
  .map((pieces) => pieces.join(""));
/** The same without the character that escaping uses. */
const unbroken = spliced.map((text) => text.replaceAll("\u2060", ""));

/** A label is a whole word (`Transaction:` is not one), and a tag ends with its name. */
function holds(text: string, marker: string): boolean {
  // Ordinary text unless a name or arguments follow.
  if (marker === ">>>" || marker === "@tool") return false;
  const isLabel = /^\p{L}[\p{L} ]*:$/u.test(marker);
  const isTag = /^<.*\p{L}$/u.test(marker);
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) {
    const goesOn = isTag && /^[\p{L}\p{N}_.:-]/u.test(text.slice(at + marker.length));
    const before = [...text.slice(0, at)].at(-1) ?? "";
    if (!goesOn && !(isLabel && /^[\p{L}\p{N}_]$/u.test(before))) return true;
  }
  return false;
}

it("escapes a long text each time for the tools at hand", () => {
  const text = "Call <read> or <write>. ".repeat(40);
  const escapers = ["read", "write"].map((tool) => createEscaper([protocols["tool-tags"]], { tools: [tool] }));
  const expected = ["read", "write"].map((tool) => text.replaceAll(`<${tool}>`, `<\u2060${tool}>`));
  for (let i = 0; i < 2; i++) expect(escapers.map((escaper) => escaper.escape(text))).toEqual(expected);
});

describe("escapeText", () => {
  it("leaves no marker of any protocol or chat template", () => {
    fc.assert(
      fc.property(spliced, (text) => {
        const escaped = escapeText(text).toLowerCase();
        for (const one of markers) expect(holds(escaped, one.toLowerCase()), one).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it("breaks every token that ends a turn or begins one, for the templates of all models", () => {
    const begin = [...beginTokens, ...answerTokens, ...headTokens, ...turnsAfterCalls.map(({ open }) => open)];
    const own = all.flatMap(({ syntax }) => syntax.turns ?? []);
    for (const token of new Set([...endTokens, ...begin, ...own]))
      expect([token, escapeText(`Hi ${token} you`).includes(token)]).toEqual([token, false]);
  });

  it("breaks markers written in another case or with spaces inside", () => {
    for (const text of ["<TOOL_CALL>", "< tool_call >", "< / tool_call>", "<tool_call/>", "[ inst ]", "< |IM_END| >"]) {
      expect(escapeText(text), text).not.toBe(text);
    }
  });

  it("breaks the closing tag of every frame and call, with words in it or without its end", () => {
    const tools = [{ name: "add", description: "x" }];
    for (const protocol of all) {
      const { section, definitions, results } = framesOf(protocol);
      const closers = [...section, ...definitions, ...results, ...markersOf(protocol.syntax)].filter((marker) =>
        /^<\/.*>$/.test(marker),
      );
      const escaper = createEscaper([protocol], { tools: tools.map(({ name }) => name), definitionsIn: protocol });
      for (const closer of [...closers, "</add>"]) {
        if (closer === "</add>" && !openersIn(protocol).includes("tool-tag")) continue;
        const name = closer.slice(2, -1);
        const spellings = [" foo", '\n x="1"', "/", "\n", " / ", ""].map((inside) => `</${name}${inside}>`);
        for (const text of [...spellings, `</${name}`, `< / ${name} foo>`, `</${name.toUpperCase()} x>`]) {
          expect({ protocol: protocol.name, text, escaped: escaper.escape(`a ${text} b`) }).toEqual({
            protocol: protocol.name,
            text,
            escaped: `a <\u2060${text.slice(1)} b`,
          });
        }
      }
    }
  });

  it("breaks the closing tag of every list of tools", () => {
    const tools = ["first", "last"].map((name) => ({ name, description: "SAID", parameters: {} }));
    const how = { style: "native", toolChoice: "auto", parallel: true, listTools } as const;
    for (const protocol of all) {
      const escaper = createEscaper([protocol]);
      const shown = protocol.renderTools(tools, how);
      const before = shown.slice(0, shown.indexOf("SAID"));
      const after = shown.slice(shown.lastIndexOf("SAID"));
      for (const [closer, name] of after.matchAll(/<\/([^\s<>/]+)>/g)) {
        const opener = new RegExp(`<${escapeRegExp(name ?? "")}[\\s>]`);
        const isOpen =
          opener.test(before) && !before.includes(closer) && !opener.test(after.slice(0, after.indexOf(closer)));
        if (!isOpen || framesOf(protocol).definitions.includes(closer)) continue;
        expect(framesOf(protocol).section, protocol.name).toContain(closer);
        for (const text of [closer, closer.toUpperCase(), `</ ${name}>`, `</${name} >`, `<${name}>`])
          expect(escaper.escape(text), `${protocol.name}: ${text}`).not.toBe(text);
      }
    }
  });

  it("breaks markers that begin inside one another", () => {
    expect(escapeText("<<tool_call><|im_end|>")).toBe("<<\u2060tool_call><\u2060|im_end|>");
    expect(escapeText("<<SYS>>")).toBe("<\u2060<SYS>>");
  });

  it("breaks a marker that another one continues, and one that begins with a special character of patterns", () => {
    const escaper = createEscaper([], { markers: ["<<end", "<<end of turn>>", "-stop-", "^x]"] });
    expect(escaper.escape("<<end of turn>> <<endless")).toBe("<\u2060<end of turn>> <\u2060<endless");
    expect(escaper.escape("non-stop-flight, -stop, 2 ^ x]")).toBe("non-\u2060stop-flight, -stop, 2 ^\u2060 x]");
  });

  it("breaks a marker without any punctuation, and looks further in every text then", () => {
    const escaper = createEscaper([protocols.hermes], { markers: ["end of turn"] });
    expect(escaper.escape("The END of  turn")).toBe("The E\u2060ND of  turn");
    expect(escaper.escape("<tool_call>")).toBe("<\u2060tool_call>");
    expect(escaper.escape("")).toBe("");
  });

  it("breaks a tag that takes attributes by its name", () => {
    expect(escapeText('<am:tool_call name="x">')).toBe('<\u2060am:tool_call name="x">');
    expect(escapeText("<am:tool_call")).toBe("<\u2060am:tool_call");
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(spliced, (text) => {
        expect(escapeText(escapeText(text))).toBe(escapeText(text));
      }),
    );
  });

  it("is undone by unescapeText", () => {
    fc.assert(
      fc.property(unbroken, (text) => {
        expect(unescapeText(escapeText(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it("leaves text without markers byte for byte", () => {
    const texts = [
      "if (a < b && b[0] > c) { return '<div class=\"x\">' + d + '</div>'; }",
      "a <| b |> c <tool> [x] [1, 2] <state> 5 <s && x > 3 <tool_belt>",
      "x <\u2060 y; caf\u00e9 \ud83d\ude00 \u200b\u2060",
    ];
    for (const text of texts) expect(escapeText(text)).toBe(text);
  });

  it("escapes only for the given protocols, and for every chat template", () => {
    const escaper = createEscaper([protocols.hermes]);
    expect(escaper.escape("<am:tool <am:tool_call <tool_call> <|im_end|> </s>")).toBe(
      "<am:tool <\u2060am:tool_call <\u2060tool_call> <\u2060|im_end|> <\u2060/s>",
    );
  });

  it("escapes a megabyte of hostile text in one pass", () => {
    for (const piece of ["<", "< ", "<|", "[", "<tool_call", "<tool_call>", "<|im_end|>", "<aaaaaaaa"]) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(unescapeText(escapeText(text))).toBe(text);
    }
    const spaces = `<${" ".repeat(1_000_000)}x`;
    expect(escapeText(spaces)).toBe(spaces);
  });
});

describe("markersOf", () => {
  it("finds the markers of calls, spans and stops", () => {
    expect(markersOf(protocols.hermes.syntax)).toEqual([
      "<tool_call>",
      "<|im_start|>",
      "[TOOL_REQUEST]",
      "</tool_call>",
      "[END_TOOL_REQUEST]",
      "<think>",
      "</think>",
      "<tool_response>",
      "</tool_response>",
    ]);
    expect(markersOf({ parallel: true, call: [{ body: "json-call", name: "name", arguments: "arguments" }] })).toEqual(
      [],
    );
    expect(markersOf({ parallel: true, call: ["[TOOL_CALLS]", { slot: "name" }, "[ARGS]", { body: "json" }] })).toEqual(
      ["[TOOL_CALLS]"],
    );
  });

  it("escapes the tools of each turn, whatever characters their names have", () => {
    createEscaper([protocols["tool-tags"]], { tools: ["x\ny"] }).escape("<x>");
    const escaped = createEscaper([protocols["tool-tags"]], { tools: ["x", "y"] }).escape("<x>");
    expect(escaped).toBe("<\u2060x>");
  });
});

it("compiles the same tools once, also if conversations alternate", () => {
  const of = (name: string) => createEscaper([protocols.hermes], { tools: [name] });
  const [first, second] = [of("one"), of("two")];
  expect([of("one") === first, of("two") === second, of("three") === first]).toEqual([true, true, false]);
});
