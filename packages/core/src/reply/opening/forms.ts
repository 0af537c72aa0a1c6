import { spellingOf } from "../../syntax/spelling.js";
import { callTokens, literals, type OwnedForm, type Token } from "../../syntax/tokens.js";
import { openerOf } from "./call-opener.js";

/** Where a call can go on from here; forms that begin alike share the way until they part. */
export interface FormNode {
  branches: { token: Token; node: FormNode }[];
  /** The literals that come after this, nearest first. */
  literals: string[];
  /** A whole call may end here, though others go on. */
  ends?: true;
  /** A call begins here, with a marker of its own inside a block or without. */
  begins?: true;
  /** Behind the arguments: how their call began. */
  opener?: readonly Token[];
  /** After a whole call: how another one may follow in the same block, and how the block ends. */
  block?: { separator: string; close: string[]; start: FormNode };
}

/** The ways to read the calls of several forms; `tool`: the name in the tag, for those of `isToolElement`. */
export function compileForms(forms: readonly OwnedForm[], tool = ""): FormNode {
  const root: FormNode = { branches: [], literals: [] };
  for (const form of forms) {
    if (form.at === "line") {
      const call = callTokens(form);
      // Nothing closes such a call: behind its name it may end wherever its line does.
      const name = call.findIndex(({ kind }) => kind === "name");
      for (let end = name < 0 ? call.length : name + 1; end <= call.length; end++) {
        grow(root, call.slice(0, end)).ends = true;
      }
      continue;
    }
    const call = callTokens(form, tool);
    if (!form.block) {
      grow(root, call).ends = true;
      continue;
    }
    const start = grow(root, literals(form.block.open));
    const close = literals(form.block.close).map(({ text }) => text);
    const block = { separator: form.block.separator.trim(), close, start };
    Object.assign(grow(start, call), { block, ends: true });
    // A call that has a marker of its own is known without its block.
    if (spellingOf(call[0]!) === undefined) continue;
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
  for (const [i, token] of way.entries()) {
    const key = JSON.stringify(token);
    let branch = node.branches.find((candidate) => JSON.stringify(candidate.token) === key);
    if (!branch) {
      branch = { token, node: { branches: [], literals: [] } };
      if (token.kind === "body") branch.node.opener = openerOf(way.slice(0, i));
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
