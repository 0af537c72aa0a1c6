import { LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { factsOf } from "../../syntax/bodies.js";
import { jsonCall } from "../../syntax/parts.js";
import { compileForms, type FormNode } from "../forms/forms.js";
import { type Branch, continues, type KnownTools, matchBranch, plainBranch } from "../forms/match-branch.js";
import type { Opening, ToolElementSearch } from "../forms/opening.js";
import type { BodyKinds } from "../readers/body-kind.js";
import type { Markers } from "./marker-index.js";

type CallOpening = Extract<Opening, { opens: "call" }>;

/** The parts of the parser that decide what begins after a marker. */
interface Context {
  compiled: { markers: Pick<Markers, "at">; bodies: Pick<BodyKinds, "has"> };
  toolElements: Pick<ToolElementSearch, "at" | "anywhere"> | undefined;
  calls: KnownTools;
}

/** A tag without an attribute that names a tool, and the space after it. */
const TAG = /<([\w:.-]+)[^<>\n]*>\s*/y;

/** Decides which markers of calls only wrap calls with markers of their own. */
export class OuterMarkers {
  /** The last form with both tags, which a reply has again and again. */
  private last: { marker: string; tag: string; node: FormNode } | undefined;

  constructor(private readonly context: Context) {}

  /**
   * What the marker of a call means beside the text after it. It has no meaning if it only wraps other calls, as in
   * `<tool_calls><tool_call>…`: another call's marker follows it, and no form has both. Where JSON is in a tag of no form after
   * it, it opens the form with both tags.
   *
   * @example
   * // <tool_calls><tool_call>{"name": "now"}</tool_call></tool_calls>: wraps a call
   * // <minimax:tool_call><invoke name="now"></invoke></minimax:tool_call>: one form
   * // <tool_call><invoke>{"name": "now"}</invoke></tool_call>: the form with both tags
   */
  meaning(look: Lookahead, found: CallOpening, at: number): Opening {
    const wraps = this.wrapsCalls(look, found, at);
    if (wraps === true) return { opens: "nothing", marker: found.marker, where: "around-calls" };
    return wraps ? { ...found, node: wraps } : found;
  }

  /** Whether it only wraps calls; also a form: that of the call with both tags. */
  private wrapsCalls(look: Lookahead, { marker, node }: CallOpening, at: number): boolean | FormNode {
    const { compiled, toolElements, calls } = this.context;
    if (!marker.endsWith(">") && !marker.endsWith("]")) return false;
    const next = look.next(at + marker.length);
    if (next === undefined || !/[<[\]]/.test(look.text.charAt(next))) return false;
    const form = node.branches.find(({ token }) => token.kind === "literal" && token.text === marker);
    if (!form) return false;
    // The next marker of the same form, in most cases.
    const plain = plainBranch(look.text, next, form.node);
    if (plain) {
      if (continues(look, next, plain, calls)) return false;
      look.again();
    }
    const found = compiled.markers.at(look, next);
    if (look.hitEnd) return false;
    if (found?.opens === "call" && !found.keys) {
      if (!beginsCall(look, next, found, calls)) return this.callFollows(look, next, marker);
      const same = matchBranch(look, next, { branches: form.node.branches.filter(isMarker), literals: [] }, calls);
      return !same || (same.token.kind === "literal" && !continues(look, next, same, calls));
    }
    // Other text may be a call of this form.
    const goesOn = matchBranch(look, next, form.node, calls) !== undefined;
    return !goesOn && !look.hitEnd && toolElements?.at(look, next) !== undefined;
  }

  /**
   * Whether a call follows the tag at an index, which only wraps it, too: `<tool_call><invoke><function=…`. For an object or
   * list, `<tool_call><invoke>{"name": …`, this is the form with both tags.
   */
  private callFollows(look: Lookahead, at: number, marker: string): boolean | FormNode {
    const { compiled, toolElements, calls } = this.context;
    const window = look.text.slice(0, at + 2 * LOOKAHEAD);
    TAG.lastIndex = at;
    const [tag = "", name = ""] = TAG.exec(window) ?? [];
    const next = at + tag.length;
    if (tag === "" ? /^[^>\n]*$/.test(window.slice(at)) : next === window.length) look.endsAt(at + 2 * LOOKAHEAD - 1);
    if (tag === "" || look.hitEnd) return false;
    if (/[{[]/.test(look.charAt(next)) && marker.startsWith("<") && compiled.bodies.has("json-call")) {
      if (this.last?.marker !== marker || this.last.tag !== tag) {
        const block = { open: marker, separator: "", close: `</${marker.slice(1)}` };
        this.last = { marker, tag, node: compileForms([{ call: [tag.trimEnd(), jsonCall, `</${name}>`], block }]) };
      }
      return this.last.node;
    }
    const found = compiled.markers.at(look, next);
    if (found?.opens === "call" && !found.keys) return beginsCall(look, next, found, calls);
    const mayBeElement = toolElements?.anywhere || tag.includes("\n");
    return !look.hitEnd && mayBeElement && toolElements?.at(look, next) !== undefined;
  }
}

/** Whether what begins with a call's marker at an index may be a call: not a tag without the attribute that names the tool. */
export const beginsCall = (look: Lookahead, at: number, { node }: CallOpening, tools: KnownTools): boolean =>
  matchBranch(look, at, node, tools) !== undefined;

/** Whether a branch begins with a marker, and not with text of any kind or the bracket of a list. */
const isMarker = ({ token }: Branch) =>
  token.kind !== "name" &&
  token.kind !== "index" &&
  !(token.kind === "body" && factsOf(token.body).language === "json");
