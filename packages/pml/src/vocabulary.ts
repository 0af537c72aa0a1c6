import type { Keep } from "./tree.js";

/** The rule of one element: its allowed attributes and child elements, and whether it contains text. */
export interface ElementRule {
  attributes: Readonly<Record<string, AttributeRule>>;
  /** Additional attributes: of any name, or only those that `stringifyPml` can write as attributes. */
  open?: "any" | "plain";
  children: readonly string[];
  /** `exact`: its text is data. `free`: text besides its elements is data, without surrounding white space. */
  text?: "exact" | "free";
}

/** `words`: one of these; `count`: an integer of at least 0; else any text. */
interface AttributeRule {
  words?: readonly string[];
  count?: true;
  required?: true;
}

const text: AttributeRule = {};
const required: AttributeRule = { required: true };
/**
 * The levels of importance, the one that is pruned last first.
 *
 * @example keepLevels.includes("high"); // true
 */
export const keepLevels: readonly Keep[] = ["always", "high", "normal", "low"];
const keep: AttributeRule = { words: keepLevels };
const marks = { id: text, keep, alt: text };
const parts = ["text", "thinking", "attachment", "call", "tool_output", "edit"];
const message: ElementRule = {
  attributes: { ...marks, role: text, name: text },
  children: parts,
  text: "free",
};
const leaf: ElementRule = { attributes: {}, children: [], text: "exact" };

/**
 * Every element of PML 1. The reader checks documents by it. `pml.rng` is the same in RELAX NG (a test compares them).
 */
export const vocabulary: Readonly<Record<string, ElementRule>> = {
  pml: { attributes: { version: { words: ["1"], required: true } }, children: ["memory", "tools", "conversation"] },
  memory: { attributes: {}, children: ["fact", "summary"] },
  fact: { ...leaf, attributes: marks },
  summary: { ...leaf, attributes: marks },
  tools: { attributes: { choice: { words: ["auto", "none", "required"] }, only: text }, children: ["tool"] },
  tool: { ...leaf, attributes: { name: required, description: text } },
  conversation: { attributes: { id: text, topic: text, omitted: { count: true } }, children: ["turn"] },
  turn: {
    attributes: { index: { count: true }, id: text, keep },
    children: ["system", "user", "assistant", "tool_output"],
  },
  system: message,
  user: message,
  assistant: message,
  text: leaf,
  thinking: { ...leaf, attributes: { signature: text } },
  attachment: {
    attributes: {
      type: required,
      ...{ ...marks, name: text, path: text, url: text, mime: text },
      encoding: { words: ["base64"] },
      omitted: { words: ["true"] },
    },
    open: "plain",
    children: ["content"],
  },
  content: leaf,
  call: { attributes: { name: required, id: text }, open: "any", children: ["argument", "arguments"] },
  argument: { ...leaf, attributes: { name: required } },
  arguments: leaf,
  tool_output: {
    attributes: { ...marks, call: text, name: text, status: { words: ["error"] } },
    children: ["text", "attachment"],
    text: "exact",
  },
  edit: { ...leaf, attributes: { file: required, ...marks } },
};

/** The possible root elements of a document. */
export const roots: readonly string[] = ["pml", "memory", "tools", "conversation"];

/** Matches names of additional attributes that XML can express unchanged. */
export const ATTRIBUTE_NAME = /^(?![Xx][Mm][Ll])[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Matches characters that XML 1.0 does not allow, including lone surrogates. */
export const NO_XML_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
