import type { Body, Form } from "../protocol.js";

/** One step of reading a call. */
export type Token =
  | { kind: "literal"; text: string }
  /** An opening tag with the tool's name in an attribute. */
  | { kind: "tag"; name: string; attribute: string }
  | { kind: "name" }
  | { kind: "body"; body: Body };

/** Where a call can go on from here; forms that begin alike share the way until they part. */
export interface FormNode {
  branches: { token: Token; node: FormNode }[];
  /** The literals that come after this, nearest first. */
  literals: string[];
}

/** The ways to read the calls of several forms. */
export function compileForms(forms: readonly Form[]): FormNode {
  const root: FormNode = { branches: [], literals: [] };
  for (const form of forms) {
    let node = root;
    for (const token of tokensOf(form)) {
      const key = JSON.stringify(token);
      let branch = node.branches.find((candidate) => JSON.stringify(candidate.token) === key);
      if (!branch) {
        branch = { token, node: { branches: [], literals: [] } };
        node.branches.push(branch);
      }
      node = branch.node;
    }
  }
  listLiterals(root);
  return root;
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
  if (token.kind === "literal") return token.text;
  return token.kind === "tag" ? `<${token.name}` : undefined;
}

const ATTRIBUTE_OPEN = /<([\w:.-]+)\s+([\w:.-]+)="$/;

function tokensOf(form: Form): Token[] {
  const tokens: Token[] = [];
  const parts = [...form.call];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (typeof part !== "string") {
      tokens.push("slot" in part ? { kind: "name" } : { kind: "body", body: part });
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

/** Markers are told apart at white space and where one tag follows another, since space between them is free. */
function literals(text: string): Token[] {
  const found = text.match(/<[^<>]*>|[^<]+|<[^<>]*/g) ?? [];
  return found.flatMap((piece) => (piece.trim() === "" ? [] : [{ kind: "literal" as const, text: piece.trim() }]));
}
