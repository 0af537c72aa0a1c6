import { describe, expect, test } from "vitest";
import { GrammarError, matchGrammar, toolCallGrammar } from "../src/grammar/index.js";
import { getProtocol, type Protocol, parseReply, type ToolDefinition } from "../src/index.js";
import { spansOf } from "../src/syntax/syntax.js";
import { protocolNames } from "./arbitraries.js";

// The grammar of a whole reply admits no opener of a result. It must refuse what the parser reads as one, and no other
// text: a constrained model could not write that, although the parser would keep it. Only a name that nothing but models
// writes (`<tool_response`) is refused with any end, because a model that began it would write on (decision 0039).

const tools: ToolDefinition[] = [{ name: "now" }];

function grammarOf(protocol: Protocol): string | undefined {
  try {
    return toolCallGrammar({ tools, protocol, toolChoice: "auto" }).grammar;
  } catch (error) {
    if (error instanceof GrammarError && error.code === "unsupported") return undefined;
    throw error;
  }
}

const openers = protocolNames.flatMap((name) => {
  const protocol = getProtocol(name);
  const { spans = [] } = protocol.syntax;
  const others = { ...protocol, syntax: { ...protocol.syntax, spans: spans.filter(({ as }) => as !== "dropped") } };
  const [grammar, without] = [protocol, others].map(grammarOf);
  if (grammar === undefined || without === undefined || !matchGrammar(grammar, "Well.").matches) return [];
  const results = spansOf(protocol.syntax).filter(({ as }) => as === "dropped");
  return results.map(({ open }) => ({ name, open, protocol, grammar, others, without }));
});

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** Texts that contain an opener or something like it. */
function textsLike(open: string): string[] {
  const name = open.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const names = [name.replaceAll(" ", "_"), name.replaceAll(" ", ""), name.split(" ").at(-1) ?? ""];
  const stem = open.slice(0, -1);
  const last = open.slice(-1);
  return [
    ...[open, open.toUpperCase(), open.toLowerCase(), capital(open), `  ${open}`, `- ${open}`, `**${open}**`],
    // Only a label counts at the beginning of a line, and not in a block quote.
    ...(open.endsWith(":") ? [`_${open}_`, `\u00a0# ${open}`, `> ${open}`, `> - ${open}`] : []),
    ...[" ", "\n", "\t \n", "\u00a0", "s", "s ", " x", "-", " 2", "**", "_ "].map((inside) => stem + inside + last),
    ...["s", "s>", ">", " ", " name='a'>", "/>", "\n>"].flatMap((after) => [open + after, stem + after]),
    ...[open.slice(1), `<${open.slice(1)}`, `<x:${open.slice(1)}`, `<my-${open.slice(1)}`, `An ${open}`, `a.\n${open}`],
    ...names.flatMap((each) => [
      ...[`<${each}>`, `<${capital(each)}>`, `<my-${each}s>`, `<x:${each}>`, `</${each}>`, `${each}:`, `${each} <`],
      ...[`Promise<${capital(each)}>`, `ResponseEntity<Http${capital(each)}<T>>`, `List<${capital(each)}Dto>`],
    ]),
  ];
}

/** Whether the parser keeps all of a text, also after a call. */
function keeps(protocol: Protocol, text: string): boolean {
  const call = protocol.renderCalls([{ name: "now", arguments: {} }], { tools });
  return [text, `${call}\n${text}`].every((reply) => {
    const said = parseReply(reply, { protocol, tools, accept: "own" }).text;
    return said.trim() === text.trim();
  });
}

describe.each(openers)("the grammar of a whole reply of $name", ({ open, protocol, grammar, others, without }) => {
  // Other texts contain a marker of something else.
  const answers = [...new Set(textsLike(open))]
    .map((like) => `Well.\n${like} 12`)
    .filter((text) => matchGrammar(without, text).matches && keeps(others, text));

  test(`refuses the same texts because of ${open} as the parser drops, and no others`, () => {
    const name = /^<[\w.-]*[_:][\w.:-]*(?=>$)/.exec(open)?.[0];
    for (const text of answers) {
      const admitted = matchGrammar(grammar, text).matches;
      const begins = name !== undefined && text.includes(name);
      expect({ text, admitted }).toEqual({ text, admitted: keeps(protocol, text) && !begins });
    }
  });

  test(`admits texts that are only like ${open}`, () => {
    expect(answers.filter((text) => matchGrammar(grammar, text).matches).length).toBeGreaterThan(answers.length / 3);
    expect(matchGrammar(grammar, open).matches).toBe(false);
  });
});

test("a name that only models write is refused with any end, in its own case", () => {
  const grammar = grammarOf(getProtocol("hermes")) ?? "";
  const texts = ["<tool_response>", "<tool_response >", "<tool_response_2>", "<TOOL_RESPONSE>", "<my_tool_response>"];
  expect(texts.map((text) => matchGrammar(grammar, text).matches)).toEqual([false, false, false, true, true]);
});

test("types and tags like a result's can be written", () => {
  const grammar = grammarOf(getProtocol("minimax-m2")) ?? "";
  for (const text of ["Promise<Response>", "ResponseEntity<HttpResponse<T>>", "List<ResponseDto>", "<my-responses>"]) {
    expect([text, matchGrammar(grammar, text).matches]).toEqual([text, true]);
  }
  expect(matchGrammar(grammar, "<response>").matches).toBe(false);
});

test("results are refused in most formats", () => {
  expect(openers.length).toBeGreaterThan(30);
});
