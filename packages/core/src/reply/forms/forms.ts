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
  /**
   * After the arguments: the tokens that opened their call, the marker that begins another one, and the text after the name.
   */
  opener?: readonly Token[];
  nextOpener?: string;
  leads?: readonly string[];
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
export const compileForms = (forms: readonly OwnedForm[], tool = ""): FormNode =>
  new GrowingNode(forms.flatMap((form) => (tool === "" ? waysOnce(form) : waysOf(form, tool))));

/** The tokens of a form, from the root of the tree to the end of a call. */
interface Way {
  tokens: readonly Token[];
  /** How many of them open the block. */
  opens: number;
  asked?: true;
  /** For calls in a block: its separator and the markers that close it. */
  block?: { separator: string; close: readonly string[] };
  /** Whether the call begins with a marker of its own. */
  isMarked?: boolean;
  lead?: string | undefined;
}

function waysOf(form: OwnedForm, tool = ""): readonly Way[] {
  const tokens = callTokens(form, tool);
  const asked = form.asked ? { asked: true as const } : {};
  if (form.at === "line") {
    // Nothing closes such a call: after its name it may end wherever its line does.
    const name = tokens.findIndex(({ kind }) => kind === "name");
    const ends = tokens.map((_, i) => i + 1).slice(name < 0 ? -1 : name);
    return ends.map((end) => ({ tokens: tokens.slice(0, end), opens: 0, ...asked }));
  }
  if (!form.block) return [{ tokens, opens: 0, ...asked, lead: form.lead }];
  const open = literals(form.block.open);
  const block = { separator: form.block.separator, close: literals(form.block.close).map(({ text }) => text) };
  const isMarked = spellingOf(tokens[0]!) !== undefined;
  const inBlock = { tokens: [...open, ...tokens], opens: open.length, ...asked, block, isMarked };
  // A call with its own marker is also recognised outside its block.
  return isMarked ? [inBlock, { tokens, opens: 0, block, isMarked }] : [inBlock];
}

const waysOnce = oncePer((form: OwnedForm) => waysOf(form));

/**
 * A node whose branches are made when a reply gets there: of the forms of all formats, a reply reaches a few. Making all at
 * once takes a new process several times as long as the rest of its first reply.
 */
class GrowingNode implements FormNode {
  readonly opener?: readonly Token[];
  readonly nextOpener?: string;
  readonly leads?: readonly string[];
  readonly ends?: true;
  readonly begins?: true;
  readonly block?: NonNullable<FormNode["block"]>;
  private grown?: FormNode["branches"];
  private listed?: string[];
  private markers?: readonly PlainMarker[];

  /** `ways`: those through this node; `path`: the nodes before it, one for each of their tokens so far. */
  constructor(
    private readonly ways: readonly Way[],
    private readonly path: readonly FormNode[] = [],
  ) {
    const at = path.length;
    const [first] = ways;
    if (first?.tokens[at - 1]?.kind === "body") {
      Object.assign(this, openersBefore(first.tokens.slice(first.opens, at - 1), first.lead));
    }
    for (const { tokens, opens, block, isMarked } of ways) {
      if (opens === at && isMarked) this.begins = true;
      if (at < tokens.length) continue;
      this.ends = true;
      const start = path[opens];
      if (!block || !start) continue;
      // Blocks that begin alike may end differently.
      const close: string[] = [...new Set([...(this.block?.close ?? []), ...block.close])];
      // Of forms that differ in this alone, the separator of either is read, and none.
      const separator: string = block.separator.trim() || (this.block?.separator ?? "");
      this.block = { separator, close, start };
    }
  }

  get branches(): FormNode["branches"] {
    this.grown ??= this.grow();
    return this.grown;
  }

  get literals(): string[] {
    this.listed ??= this.branches.flatMap(({ token, node }) =>
      token.kind === "literal" ? [token.text, ...node.literals] : node.literals,
    );
    return this.listed;
  }

  get plain(): readonly PlainMarker[] {
    this.markers ??= plainMarkers(this);
    return this.markers;
  }

  private grow(): FormNode["branches"] {
    const at = this.path.length;
    const path = [...this.path, this];
    const byToken = new Map<string, { token: Token; ways: Way[] }>();
    for (const way of this.ways) {
      const token = way.tokens[at];
      if (!token) continue;
      const shared = byToken.get(keyOf(token));
      if (shared) shared.ways.push(way);
      else byToken.set(keyOf(token), { token, ways: [way] });
    }
    return inOrder(
      [...byToken.values()].map(({ token, ways }) => ({
        token,
        node: new GrowingNode(ways, path),
        ...(ways.some(({ asked }) => asked) && { asked: true as const }),
      })),
    );
  }
}

/** A text that tokens share exactly if they are equal. */
const keyOf = oncePer((token: Token): string => JSON.stringify(token));

/** What opens a call, from the tokens before its arguments. Plain words and tags may be a part of these. */
function openersBefore(before: readonly Token[], lead = ""): Pick<FormNode, "opener" | "nextOpener" | "leads"> {
  const [first] = before;
  const isMarker = first?.kind === "literal" && first.line === undefined && isToken(first.text);
  const slot = before.findLastIndex((token) => "ends" in token);
  const after = slot < 0 ? literals(lead) : before.slice(slot);
  const texts = after.flatMap((token) => (token.kind === "literal" ? token.text : []));
  // A closing tag, or a single character, may be a slip.
  const leads = texts.map((_, i) => texts.slice(i).join("")).filter((text) => /^(?!<\/)../.test(text));
  return { opener: openingTokens(before), ...(isMarker && { nextOpener: first.text }), leads };
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

/** Branches in the order in which they are tried: tokens with a fixed prefix before those that match arbitrary text. */
function inOrder(branches: FormNode["branches"]): FormNode["branches"] {
  const ordered = branches.sort((a, b) => rankOf(a.token) - rankOf(b.token));
  // A marker that begins with another one is tried before it.
  for (const branch of [...ordered]) {
    const shorter = ordered.findIndex(({ token }) => isBeginning(token, branch.token));
    const at = ordered.indexOf(branch);
    if (shorter >= 0 && shorter < at) ordered.splice(shorter, 0, ...ordered.splice(at, 1));
  }
  return ordered;
}
