import { oncePer } from "../common/once-per.js";
import type { Protocol } from "../protocol.js";
import { formsOf, isBodyOf } from "../syntax/syntax.js";
import { listTools } from "../tool-text/index.js";
import type { ToolDefinition, ToolResult } from "../types.js";

/** The text that a protocol writes around untrusted text: markers that this text must not contain. */
export interface Frames {
  /** Around the list of tools: `<tools>`, `</tools>`. */
  section: readonly string[];
  /** Inside the list, around the parts of a tool's definition: `<description>`, `</tool>`. */
  definitions: readonly string[];
  /** Around results and between them. */
  results: readonly string[];
}

/**
 * Derives the frames of a protocol, so that they need not be declared: it renders tools and results with known texts,
 * and everything around these texts is the frame.
 *
 * @example framesOf(protocols.hermes).section; // ["<tools>", "</tools>"]
 */
export const framesOf = oncePer((protocol: Protocol): Frames => {
  const tools = probes(protocol);
  // Other styles use the same frame and have no markers inside it.
  const shown = protocol.renderTools(tools, { style: "native", toolChoice: "auto", parallel: true, listTools });
  const { around, inside } = sectionFrame(shown);
  return { section: unique(around), definitions: inside, results: unique(resultFrame(protocol, tools)) };
});

/** A text that no protocol writes. */
const TEXT = "\u{10fffd}";

/** Two tools, each with a description before and after all its other text. */
function probes({ syntax }: Protocol): ToolDefinition[] {
  const described = (name: string, keys: readonly string[]): ToolDefinition => ({
    name,
    description: TEXT,
    parameters: {
      type: "object",
      properties: Object.fromEntries(keys.map((key) => [key, { type: "string", description: TEXT }])),
    },
  });
  // The tools of explicit aliases must exist.
  const given = formsOf(syntax).flatMap(({ call }) =>
    call.flatMap((part) => (isBodyOf(part, "attributes") ? Object.entries(part.aliases ?? {}) : [])),
  );
  const named = given.map(([name, { parameters = {} }]) => described(name, Object.keys(parameters)));
  return [...named, ...["frame_first", "frame_second"].map((name) => described(name, ["frame_key"]))];
}

/** A tag of markup, opening or closing. */
const TAG = /<(\/?)([\p{L}_][\p{L}\p{N}_.:|-]*)(?:\s[^<>]*?)?(\/?)>/gu;

function sectionFrame(text: string): { around: string[]; inside: string[] } {
  const [from, to] = [text.indexOf(TEXT), text.lastIndexOf(TEXT)];
  const [first, last] = [elementsAt(text, from), elementsAt(text, to)];
  const around = new Set([...first.keys()].filter((index) => last.has(index)).map((index) => first.get(index)!));
  const within = [...text.slice(from, to).matchAll(TAG)].map(([, , name = ""]) => name);
  const inside = unique([...first.values(), ...last.values(), ...within]).filter((name) => !around.has(name));
  return { around: [...[...around].flatMap(bothTags), ...tokensIn(text)], inside: inside.flatMap(bothTags) };
}

/** The elements that are open at an index, by start position. A tag that is only mentioned is never closed. */
function elementsAt(text: string, at: number): Map<number, string> {
  const open: { index: number; name: string }[] = [];
  for (const { index, 1: closes, 2: name = "", 3: closed } of text.matchAll(TAG)) {
    if (index >= at) break;
    const begun = open.findLastIndex((element) => element.name === name);
    if (closes && begun >= 0) open.splice(begun);
    else if (!closes && !closed && text.includes(`</${name}>`, at)) open.push({ index, name });
  }
  return new Map(open.map(({ index, name }) => [index, name]));
}

const bothTags = (name: string) => [`<${name}>`, `</${name}>`];

function resultFrame(protocol: Protocol, tools: readonly ToolDefinition[]): string[] {
  const results = [false, false, true, true].map(
    (isError, i): ToolResult => ({ toolCallId: String(i), name: TEXT, content: TEXT, isError }),
  );
  return protocol
    .renderResults(results, { tools })
    .split(TEXT)
    .flatMap((text) => [
      ...(text.match(/<\/?[\p{L}_][\p{L}\p{N}_.:-]*(?=[\s>])>?/gu) ?? []),
      ...tokensIn(text),
      // Labels and headings at the beginning of a line.
      ...(text.match(/^(?:\p{L}[\p{L} ]*:|#+ \S.*)/gmu) ?? []),
    ]);
}

/** Tokens: `<|im_end|>`, `[TOOL_RESULTS]`. */
const tokensIn = (text: string): string[] =>
  text.match(/<[|｜][^<>\n]*>|<[^\s<>]*[|｜]>|\[(?:\/?[A-Z_]{3,}|unused\d+)\]/gu) ?? [];

const unique = (texts: readonly string[]) => [...new Set(texts)];
