import { escapeRegExp } from "../../common/escape-reg-exp.js";
import { localName, openersOf, type Spelling } from "../../syntax/spelling.js";
import { type Form, formsOf, isBody, isBodyOf, isSlot, type Syntax } from "../../syntax/syntax.js";
import { isLabel } from "../../syntax/tokens.js";
import type { GrammarTrigger, ToolDefinition } from "../../types.js";
import { GrammarError } from "../errors.js";
import type { Rules } from "../rules.js";
import { bothCases, type Forbidden, inAnyCase, LINE_START, NAME_CHARACTERS, START } from "../text/forbidden.js";
import { textWithout } from "../text/text-without.js";
import { forbiddenResults, labelled } from "./result-openers.js";

/** How a call begins: with a marker, `anywhere`, at the beginning of a `line`, or at the beginning of the `reply`. */
interface Opener {
  marker: string;
  at: "anywhere" | "line" | "reply";
  /** The marker is a tag, which may have any case and any prefix; `tool`: a tool's name, in any spelling. */
  tag?: { name: string; attributes: boolean; tool?: true };
}

/**
 * All openers of a syntax, including those of forms that are parsed but never rendered. Text without calls contains
 * none.
 */
export function forbiddenOpeners(syntax: Syntax, tools: readonly ToolDefinition[]): Opener[] {
  const openers = formsOf(syntax).flatMap((form) => {
    const found = openersOf(form).flatMap((spelling) => openersBy(spelling, form, tools));
    return found.length > 0 ? found : formOpeners(form, tools);
  });
  return openers.filter(({ marker, at }, i) => openers.findIndex((o) => o.marker === marker && o.at === at) === i);
}

/** Where the openers of a form count: one that is read only where the reply begins is like one that is the whole reply. */
const openerPlace = ({ at = "anywhere" }: Pick<Form, "at">): Opener["at"] => (at === "start" ? "reply" : at);

/** The openers for one spelling that the parser accepts; none if it is too general without the tools' names. */
function openersBy(spelling: Spelling, form: Form, tools: readonly ToolDefinition[]): Opener[] {
  const at = openerPlace(form);
  switch (spelling.kind) {
    case "tag": {
      const { name, attributes } = spelling;
      return [{ marker: `<${name}${attributes ? "" : ">"}`, at, tag: { name: localName(name), attributes } }];
    }
    case "tool-tag":
      return tools.map(({ name }) => ({ marker: `<${name}`, at, tag: { name, attributes: true, tool: true } }));
    case "literal":
      return spelling.text.length > 2 && !spelling.name ? [{ marker: spelling.text, at }] : [];
    case "line":
      // The reader accepts any name after it, even on the next line.
      return [{ marker: spelling.text.trimEnd(), at }];
    default:
      return [];
  }
}

/** A form's first marker, followed by the name of each tool if the marker alone is too general. */
function formOpeners(form: Form, tools: readonly ToolDefinition[]): Opener[] {
  const parts = [form.block?.open ?? "", ...form.call];
  let marker = "";
  for (const [i, part] of parts.entries()) {
    if (typeof part === "string") {
      marker += part;
      continue;
    }
    const fixed = marker.trimStart().split("\n")[0]!.trimEnd();
    if (isBodyOf(part, "attributes")) return [{ marker: `<${part.tag} `, at: "anywhere" }];
    const at = isLabel(fixed) ? "line" : openerPlace(form);
    if (at === "reply" && !(isSlot(part) && fixed === "")) return [{ marker: fixed || "{", at }];
    if (fixed.length > 2 || !isSlot(part)) return [{ marker: fixed, at }];
    const next = parts[i + 1];
    const after = typeof next === "string" ? next.charAt(0) : isBody(next) ? "(" : "";
    return tools.map(({ name }) => ({ marker: fixed + name + after, at }));
  }
  return [];
}

/**
 * The triggers of a lazy grammar. Only the form that is rendered counts, because the grammar continues with that form.
 */
export function triggersOf(syntax: Syntax, tools: readonly ToolDefinition[]): GrammarTrigger[] {
  return formOpeners(syntax, tools).map(({ marker, at }) => {
    if (at === "reply" || marker === "") throw unmarked();
    if (at === "anywhere") return { type: "word", value: marker };
    return { type: "pattern", value: `(?:^|\\n)[ \\t]*(${escapeRegExp(marker)})` };
  });
}

/** Where calls may begin. */
export function callPlace(syntax: Syntax): Opener["at"] {
  return formOpeners(syntax, [])[0]?.at ?? openerPlace(syntax);
}

/** A rule for an answer without calls: text that contains no opener of a call or of a result. */
export function answerRule(rules: Rules, syntax: Syntax, tools: readonly ToolDefinition[], end = ""): string {
  const calls = forbiddenOpeners(syntax, tools).map(({ marker, at, tag }): Forbidden => {
    const end = tag?.attributes ? [{ chars: " \t\r\n/>" }] : [];
    if (isLabel(marker)) return labelled(marker);
    if (tag) return tagOf(tag.name, tag.tool ? [{ chars: "._:-", many: true }] : [], end);
    return [...before[at], ...inAnyCase(marker)];
  });
  const forbidden = [...calls, ...forbiddenResults(syntax)];
  return textWithout(rules, "answer", { forbidden, notRaw: START, after: `${START}\n`, end });
}

/** A tag of this name, in any case and with any prefix; `between`: characters that may occur between its letters. */
const tagOf = (name: string, between: Forbidden, end: Forbidden): Forbidden => [
  { chars: "<" },
  { chars: NAME_CHARACTERS.join(""), many: true },
  ...[...name].flatMap((char, i) => [...(i > 0 ? between : []), { chars: bothCases(char) }]),
  ...end,
];

const before: Record<Opener["at"], Forbidden> = {
  anywhere: [],
  line: LINE_START,
  reply: [{ chars: START }, { chars: " \t\r\n", many: true }],
};

const unmarked = () =>
  new GrammarError("unsupported", "Calls in this format begin with no marker that distinguishes them from text.");
