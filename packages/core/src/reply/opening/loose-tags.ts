import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { readTag } from "../../notation/markup/markup.js";
import { localName, NAMESPACE_PREFIX, spellingOf } from "../../syntax/spelling.js";
import type { Token } from "../../syntax/tokens.js";
import { ASIDE_KEYS } from "../arguments/call-keys.js";
import { endsInWord } from "../forms/call-tag.js";
import type { FormNode } from "../forms/forms.js";
import type { Opening } from "../forms/opening.js";

type Branch = FormNode["branches"][number];

/** A tag's name, perhaps with the spaces and Markdown's escapes that models write. */
const TAG_NAME = new RegExp(`[ \\t]{0,4}(${NAMESPACE_PREFIX}(?:[\\p{L}_]|\\\\_)(?:[\\p{L}\\p{N}_.-]|\\\\_)*)?`, "uy");

const NO_NAME = /[\n<>/!&]/;

/** The beginning of a tag whose value is the tool's name: `<function=`. */
const VALUE_TAG = /^<([\w.:-]+)=$/;

/** The name in a tag's marker; undefined for any other marker. */
function tagName(token: Token): string | undefined {
  const spelling = spellingOf(token);
  if (spelling?.kind === "literal") return VALUE_TAG.exec(spelling.text)?.[1];
  return spelling?.kind === "tag" ? spelling.name : undefined;
}

/** The character that ends the marker of a token, after its tag's name and white space. */
function lastOf(token: Token): RegExp {
  if (token.kind !== "literal") return /[\s/>]/;
  return token.text.endsWith("=") ? /=/ : />/;
}

/** The same token as written. `marker`: the whole tag, if it has no attributes. */
function respelled(token: Token, name: string, marker: string): Token {
  if (token.kind === "tag") return { ...token, name };
  if (token.kind === "body" && token.body.body === "attributes")
    return { kind: "body", body: { ...token.body, tag: name } };
  return { kind: "literal", text: marker };
}

const isLiteral = ({ token }: Branch) => token.kind === "literal";

/** Where the tag at an index ends, without its bracket, if it has only attributes that say nothing about the call. */
function asidesEnd(look: Lookahead, index: number): number | undefined {
  const tag = readTag(look, index);
  if (!tag || tag.isBroken || tag.selfClosing) return undefined;
  return [...tag.attributes.keys()].every((key) => ASIDE_KEYS.has(key)) ? tag.end - 1 : undefined;
}

/**
 * Finds calls with a misspelled tag: with attributes such as `id`, in another case, without its namespace prefix or with
 * another one, with white space around its name, or with Markdown's escapes in it. The text after the tag must match the form
 * exactly.
 */
export class LooseTags {
  private readonly byLocal = new Map<string, readonly Branch[]>();
  private readonly longest: number;

  constructor(forms: FormNode) {
    for (const branch of forms.branches) {
      const name = tagName(branch.token);
      if (name !== undefined) this.byLocal.set(localName(name), [...(this.byLocal.get(localName(name)) ?? []), branch]);
    }
    // A prefix is one word.
    this.longest = Math.max(0, ...[...this.byLocal.keys()].map((name) => name.length)) + LOOKAHEAD / 4;
  }

  get isEmpty(): boolean {
    return this.byLocal.size === 0;
  }

  /** The call whose tag is at an index. `isTag`: its name begins a tag with attributes as well. */
  at(look: Lookahead, index: number, isTag = false): Opening | undefined {
    const { text } = look;
    if (text.charAt(index) !== "<" || this.isEmpty) return undefined;
    const next = text.charAt(index + 1);
    if (NO_NAME.test(next)) return undefined;
    TAG_NAME.lastIndex = 0;
    const [written = "", spelled = ""] = TAG_NAME.exec(text.slice(index + 1, index + this.longest + 2)) ?? [];
    const name = spelled.replaceAll("\\_", "_");
    const end = index + 1 + written.length;
    if (name.length > this.longest || look.endsAt(end)) return undefined;
    if (/[:\\]/.test(text.charAt(end)) && look.endsAt(end + 1)) return undefined;
    // A tag with a value is read in another case, but not with another prefix; attributes follow only a plain name.
    const isAlike = ({ token }: Branch) =>
      (spellingOf(token)?.kind === "tag" || tagName(token)?.toLowerCase() === name.toLowerCase()) &&
      (token.kind === "literal" || written === name);
    const alike = this.byLocal.get(localName(name))?.filter(isAlike) ?? [];
    const space = spaceEnd(text, end);
    if (space - end > LOOKAHEAD) return undefined;
    const isWhole = alike.some(isLiteral);
    if (isWhole && look.endsAt(space) && !look.isWhole) return undefined;
    const last = isWhole && space > end ? (asidesEnd(look, index) ?? space) : space;
    const matching = alike.filter((one) => lastOf(one.token).test(text.charAt(isLiteral(one) ? last : end)));
    if (matching.length === 0 || endsInWord(look, end) || (isTag && !matching.some(isLiteral))) return undefined;
    const marker = text.slice(index, last + 1);
    const branches = matching.map(({ token, node }) => ({ token: respelled(token, name, marker), node }));
    return {
      marker: last > space ? marker : `<${written}`,
      isTag: true,
      isWord: false,
      line: false,
      opens: "call",
      node: { branches, literals: [] },
    };
  }
}
