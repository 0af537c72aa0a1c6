import { oncePer } from "../../common/once-per.js";
import { isToken, spellingOf } from "../../syntax/spelling.js";
import { callTokens, literals, type OwnedForm, type Token } from "../../syntax/tokens.js";
import { openingTokens } from "./call-opener.js";

/** A position in the forms and its branches; forms with the same beginning share nodes until they differ. */
export interface FormNode {
  /** `asked`: in the form that the prompt asks for. */
  branches: { token: Token; node: FormNode; asked?: true }[];
  /** The literals after this node, nearest first. */
  literals: string[];
  /** The first branches, as long as they are {@link PlainMarker}s. */
  plain?: readonly PlainMarker[];
  /** Whether a whole call may end here, though longer forms continue. */
  ends?: true;
  /** Whether a call begins here, with its own marker, inside a block or without one. */
  begins?: true;
  /** After the arguments: the tokens that opened their call, and the marker that begins another one. */
  opener?: readonly Token[];
  nextOpener?: string;
  /** After a whole call: the separator before another one in the block, and the end of the block. */
  block?: { separator: string; close: string[]; start: FormNode };
}

/** A branch for a marker that nothing else begins like, and that ends with no letter. */
export interface PlainMarker {
  token: Token;
  node: FormNode;
  /** The marker. */
  text: string;
}

/** The tree of several forms; `tool`: the name in the tag, for forms of `isToolElement`. */
export function compileForms(forms: readonly OwnedForm[], tool = ""): FormNode {
  const root: FormNode = { branches: [], literals: [] };
  for (const form of forms) {
    if (form.at === "line") {
      const call = callTokens(form);
      // Nothing closes such a call: after its name it may end wherever its line does.
      const name = call.findIndex(({ kind }) => kind === "name");
      for (let end = name < 0 ? call.length : name + 1; end <= call.length; end++) {
        grow(root, call.slice(0, end), form).ends = true;
      }
      continue;
    }
    const call = callTokens(form, tool);
    if (!form.block) {
      grow(root, call, form).ends = true;
      continue;
    }
    const start = grow(root, literals(form.block.open), form);
    const close = literals(form.block.close).map(({ text }) => text);
    const end = grow(start, call, form);
    // Blocks that begin alike may end differently.
    const closers = [...new Set([...(end.block?.close ?? []), ...close])];
    // Of forms that differ in this alone, the separator of either is read, and none.
    const separator = form.block.separator.trim() || (end.block?.separator ?? "");
    const block = { separator, close: closers, start };
    Object.assign(end, { block, ends: true });
    // A call with its own marker is also recognised outside its block.
    if (spellingOf(call[0]!) === undefined) continue;
    start.begins = root.begins = true;
    Object.assign(grow(root, call), { block: { ...block, start: root }, ends: true });
  }
  order(root);
  listLiterals(root);
  return root;
}

/** A text that tokens share exactly if they are equal. */
const keyOf = oncePer((token: Token): string => JSON.stringify(token));

/** What opens a call, from the tokens before its arguments. Plain words and tags may be a part of these. */
function openersBefore(before: readonly Token[]): Pick<FormNode, "opener" | "nextOpener"> {
  const [first] = before;
  const isMarker = first?.kind === "literal" && first.line === undefined && isToken(first.text);
  return { opener: openingTokens(before), ...(isMarker && { nextOpener: first.text }) };
}

/** The node at the end of a path; missing nodes are added. */
function grow(from: FormNode, way: readonly Token[], { asked }: Pick<OwnedForm, "asked"> = {}): FormNode {
  let node = from;
  for (const [i, token] of way.entries()) {
    const key = keyOf(token);
    let branch = node.branches.find((candidate) => keyOf(candidate.token) === key);
    if (!branch) {
      branch = { token, node: { branches: [], literals: [] } };
      if (token.kind === "body") Object.assign(branch.node, openersBefore(way.slice(0, i)));
      node.branches.push(branch);
    }
    if (asked) branch.asked = true;
    node = branch.node;
  }
  return node;
}

const RANK: Record<Token["kind"], number> = { literal: 0, label: 1, tag: 2, body: 3, name: 4, index: 5 };

/** Not a comment, CDATA or a quote, which may come before any marker, and no word. */
const PLAIN = /^(?!<!|[#"'`]).*[^\p{L}\p{N}_-]$/u;

function plainMarkers({ branches }: FormNode): PlainMarker[] {
  const plain: PlainMarker[] = [];
  for (const { token, node } of branches) {
    const isTag = token.kind === "tag" && token.attribute === undefined;
    const text = isTag ? `<${token.name}>` : token.kind === "literal" && !token.line ? token.text : "";
    if (!PLAIN.test(text)) break;
    plain.push({ token, node, text });
  }
  return plain;
}

const isBeginning = (a: Token, b: Token) =>
  a.kind === "literal" && b.kind === "literal" && b.text !== a.text && b.text.startsWith(a.text);

/** A name that must be a tool's may end at more marks than other names, so it comes after them. */
const rankOf = (token: Token): number => (token.kind === "name" && token.known ? RANK.index : RANK[token.kind]);

/** Orders the branches: tokens with a fixed prefix are tried before tokens that match arbitrary text. */
function order(node: FormNode): void {
  node.branches.sort((a, b) => rankOf(a.token) - rankOf(b.token));
  // A marker that begins with another one is tried before it.
  for (const branch of [...node.branches]) {
    const shorter = node.branches.findIndex(({ token }) => isBeginning(token, branch.token));
    const at = node.branches.indexOf(branch);
    if (shorter >= 0 && shorter < at) node.branches.splice(shorter, 0, ...node.branches.splice(at, 1));
  }
  for (const branch of node.branches) order(branch.node);
}

function listLiterals(node: FormNode): string[] {
  node.plain = plainMarkers(node);
  node.literals = node.branches.flatMap(({ token, node: next }) => {
    const after = listLiterals(next);
    return token.kind === "literal" ? [token.text, ...after] : after;
  });
  return node.literals;
}
