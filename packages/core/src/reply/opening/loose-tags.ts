import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { localName, NAMESPACE_PREFIX, spellingOf } from "../../syntax/spelling.js";
import type { Token } from "../../syntax/tokens.js";
import type { FormNode } from "../forms/forms.js";
import type { Opening } from "../forms/opening.js";

type Branch = FormNode["branches"][number];

const TAG_NAME = new RegExp(`${NAMESPACE_PREFIX}[\\p{L}_][\\p{L}\\p{N}_.-]*`, "uy");

const NO_NAME = /[\s<>/!&]/;

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

/** The same token with the tag's name as written. */
function respelled(token: Token, name: string): Token {
  if (token.kind === "tag") return { ...token, name };
  if (token.kind === "body" && token.body.body === "attributes")
    return { kind: "body", body: { ...token.body, tag: name } };
  return { kind: "literal", text: `<${name}${token.kind === "literal" ? token.text.slice(-1) : ">"}` };
}

/**
 * Finds calls with a misspelled tag: in another case, without its namespace prefix or with another one, with white space
 * after its name. The text after the tag must match the form exactly.
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

  /** The call whose tag is at an index. */
  at(look: Lookahead, index: number): Opening | undefined {
    const { text } = look;
    if (text.charAt(index) !== "<" || this.isEmpty) return undefined;
    const next = text.charAt(index + 1);
    if (NO_NAME.test(next)) return undefined;
    TAG_NAME.lastIndex = 0;
    const name = TAG_NAME.exec(text.slice(index + 1, index + this.longest + 2))?.[0] ?? "";
    const end = index + 1 + name.length;
    if (name.length > this.longest) return undefined;
    if (look.endsAt(end) || (text.charAt(end) === ":" && look.endsAt(end + 1))) return undefined;
    // A tag with a value is read in another case, but not with another prefix.
    const isAlike = ({ token }: Branch) =>
      spellingOf(token)?.kind === "tag" || tagName(token)?.toLowerCase() === name.toLowerCase();
    const alike = this.byLocal.get(localName(name))?.filter(isAlike) ?? [];
    const last = spaceEnd(text, end);
    if (last - end > LOOKAHEAD) return undefined;
    if (alike.some(({ token }) => token.kind === "literal") && look.endsAt(last) && !look.isWhole) return undefined;
    const fits = alike.filter(({ token }) => lastOf(token).test(text.charAt(token.kind === "literal" ? last : end)));
    if (fits.length === 0) return undefined;
    if (last === end && fits.some(({ token }) => tagName(token) === name)) return undefined;
    const branches = fits.map(({ token, node }) => ({ token: respelled(token, name), node }));
    return {
      marker: `<${name}`,
      isTag: true,
      isWord: false,
      line: false,
      opens: "call",
      node: { branches, literals: [] },
    };
  }
}
