import { isLabel, markersIn } from "../../literal-markers.js";
import type { Body, Form, Part } from "../../protocol.js";
import { isToolElement } from "../../tool-element.js";

/** One step of reading a call. */
export type Token =
  /** `line`: it counts at the beginning of a line only. */
  | { kind: "literal"; text: string; line?: true }
  /** Words and a colon at the beginning of a line. */
  | { kind: "label"; text: string }
  /** An opening tag with the tool's name in an attribute; without `attribute` the tag's own name is the tool's. */
  | { kind: "tag"; name: string; attribute?: string }
  /** The tool's name, up to whichever of these comes first. */
  | { kind: "name"; ends: string[]; line?: LineName }
  /** The call's number, or what else stands there, up to whichever of these comes first. */
  | { kind: "index"; ends: string[] }
  | { kind: "body"; body: Body };

/** A name in a call that begins a line: `own`: of the protocol that was asked for; `labelled`: behind a label. */
export interface LineName {
  own: boolean;
  labelled: boolean;
}

/** A form, and whether it is of the protocol that was asked for. */
export type OwnedForm = Form & { own?: boolean };

/** Where a call can go on from here; forms that begin alike share the way until they part. */
export interface FormNode {
  branches: { token: Token; node: FormNode }[];
  /** The literals that come after this, nearest first. */
  literals: string[];
  /** A whole call may end here, though others go on. */
  ends?: true;
  /** A call begins here, with a marker of its own inside a block or without. */
  begins?: true;
  /** After a whole call: how another one may follow in the same block, and how the block ends. */
  block?: { separator: string; close: string[]; start: FormNode };
}

/** The ways to read the calls of several forms; `tool`: the name in the tag, for those of {@link isToolElement}. */
export function compileForms(forms: readonly OwnedForm[], tool = ""): FormNode {
  const root: FormNode = { branches: [], literals: [] };
  for (const form of forms) {
    if (form.at === "line") {
      const call = lineTokens(form);
      // Nothing closes such a call: behind its name it may end wherever its line does.
      const name = call.findIndex(({ kind }) => kind === "name");
      for (let end = name < 0 ? call.length : name + 1; end <= call.length; end++) {
        grow(root, call.slice(0, end)).ends = true;
      }
      continue;
    }
    const call = isToolElement(form) ? toolElement(form, tool) : tokensOf(form.call);
    if (!form.block) {
      grow(root, call).ends = true;
      continue;
    }
    const start = grow(root, literals(form.block.open));
    const close = literals(form.block.close).map(({ text }) => text);
    const block = { separator: form.block.separator.trim(), close, start };
    Object.assign(grow(start, call), { block, ends: true });
    // A call that has a marker of its own is known without its block.
    if (markerOf(call[0]!) === undefined) continue;
    start.begins = root.begins = true;
    Object.assign(grow(root, call), { block: { ...block, start: root }, ends: true });
  }
  order(root);
  listLiterals(root);
  return root;
}

/** The node at the end of a way, which is made as far as it is not there yet. */
function grow(from: FormNode, way: readonly Token[]): FormNode {
  let node = from;
  for (const token of way) {
    const key = JSON.stringify(token);
    let branch = node.branches.find((candidate) => JSON.stringify(candidate.token) === key);
    if (!branch) {
      branch = { token, node: { branches: [], literals: [] } };
      node.branches.push(branch);
    }
    node = branch.node;
  }
  return node;
}

const RANK: Record<Token["kind"], number> = { literal: 0, label: 1, tag: 2, body: 3, name: 4, index: 5 };

const isBeginning = (a: Token, b: Token) =>
  a.kind === "literal" && b.kind === "literal" && b.text !== a.text && b.text.startsWith(a.text);

/** What is told by its first characters is tried before what could be anything. */
function order(node: FormNode): void {
  node.branches.sort((a, b) => RANK[a.token.kind] - RANK[b.token.kind]);
  // A marker that begins with another one comes before it.
  for (const branch of [...node.branches]) {
    const shorter = node.branches.findIndex(({ token }) => isBeginning(token, branch.token));
    const at = node.branches.indexOf(branch);
    if (shorter >= 0 && shorter < at) node.branches.splice(shorter, 0, ...node.branches.splice(at, 1));
  }
  for (const branch of node.branches) order(branch.node);
}

function listLiterals(node: FormNode): string[] {
  node.literals = node.branches.flatMap(({ token, node: next }) => {
    const after = listLiterals(next);
    return token.kind === "literal" ? [token.text, ...after] : after;
  });
  return node.literals;
}

/** The marker that announces a token in text. */
export function markerOf(token: Token): string | undefined {
  if (token.kind === "literal" || token.kind === "label") return token.text;
  if (token.kind === "tag") return `<${token.name}`;
  if (token.kind !== "body") return undefined;
  if (token.body.body === "action") return "{";
  return token.body.body === "attributes" ? `<${token.body.tag}` : undefined;
}

/** An opening tag up to an attribute's value: its name, and the attribute's. */
export const ATTRIBUTE_OPEN = /<([^\s<>="']+)\s+([\w:.-]+)="$/;

/** `<`, the name, `>`, the arguments, `</`, the name, `>`: the tag may as well close itself. */
function toolElement({ call }: Form, name: string): Token[] {
  const rest = call.slice(3).map((part) => (typeof part === "object" && "slot" in part ? name : part));
  const body = rest.findLastIndex((part) => typeof part !== "string");
  return [{ kind: "tag", name }, ...tokensOf(rest.slice(0, body + 1)), ...literals(rest.slice(body + 1).join(""))];
}

function tokensOf(call: readonly Part[]): Token[] {
  const tokens: Token[] = [];
  const parts = [...call];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (typeof part !== "string") {
      if ("slot" in part) {
        tokens.push({ kind: part.slot === "index" ? "index" : "name", ends: nameEnds(parts.slice(i + 1)) });
      } else tokens.push({ kind: "body", body: part });
      continue;
    }
    const tag = ATTRIBUTE_OPEN.exec(part);
    const after = parts[i + 2];
    if (!tag || typeof after !== "string" || !after.startsWith('">')) {
      tokens.push(...literals(part));
      continue;
    }
    tokens.push(...literals(part.slice(0, tag.index)), { kind: "tag", name: tag[1]!, attribute: tag[2]! });
    parts[i + 2] = after.slice(2);
    i++;
  }
  return tokens;
}

/** The tokens of a call that begins a line: its name ends with the line, or at the space before its arguments. */
function lineTokens({ call, own = false }: OwnedForm): Token[] {
  const at = call.findIndex((part) => typeof part !== "string" && "slot" in part && part.slot === "name");
  const behind = call[at + 1];
  const space = typeof behind === "string" && behind.startsWith(" ") ? [" "] : [];
  const tokens = tokensOf(call);
  const labelled = tokens[0]?.kind === "label";
  return tokens.map((token, i) => {
    if (i === 0 && token.kind === "literal") return { ...token, line: true };
    return token.kind === "name" ? { ...token, ends: ["\n", ...space, ...token.ends], line: { own, labelled } } : token;
  });
}

/** What can end a name: the marker behind it, or how its arguments begin, or what follows when there are none. */
function nameEnds(rest: readonly Part[]): string[] {
  for (const [i, part] of rest.entries()) {
    if (typeof part === "string") {
      const [first] = literals(part);
      if (first) return [first.text];
    } else if ("body" in part) {
      return [beginningOf(part), ...nameEnds(rest.slice(i + 1))];
    }
  }
  return [];
}

/** What the arguments begin with. */
export function beginningOf(body: Body): string {
  if (body.body === "input") return "\n";
  if (body.body === "elements") return literals(String(body.open[0]))[0]?.text ?? "<";
  if (body.body === "attributes") return `<${body.tag}`;
  if (body.body === "yaml") return "\n";
  return body.body === "python-arguments" ? "(" : "{";
}

export const literals = (text: string): Extract<Token, { kind: "literal" | "label" }>[] =>
  markersIn(text).map((piece) => ({ kind: isLabel(piece) ? "label" : "literal", text: piece }));
