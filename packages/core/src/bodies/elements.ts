import { escapeRegExp } from "../common/escape-reg-exp.js";
import { isObject } from "../common/plain-object.js";
import { RenderError } from "../errors.js";
import { LOOKAHEAD } from "../notation/input.js";
import { decodeMarkup, isMentionedIn } from "../notation/markup/markup.js";
import { mayBeText, textBegins } from "../reply/arguments/lone-text.js";
import { afterBody } from "../reply/forms/match-token.js";
import { type BodyKind, rejecting } from "../reply/readers/body-kind.js";
import type { CallHost } from "../reply/readers/call-router.js";
import type { ElementsNotes } from "../reply/readers/elements-call.js";
import { ElementsReader } from "../reply/readers/elements-reader.js";
import { wholeElementsBody } from "../reply/readers/whole-elements.js";
import { typeOf } from "../schema/json-types.js";
import { PLAIN_NAME } from "../schema/names.js";
import { type Plan, property } from "../schema/plan.js";
import { closedBy } from "../syntax/spelling.js";
import type { ElementsBody, Slot } from "../syntax/syntax.js";
import { renderJson } from "../tool-text/render-json.js";
import { xmlText } from "../tool-text/xml-text.js";

/** One element per argument: see {@link ElementsBody}. */
export const elementsBody: BodyKind<ElementsBody> = {
  kind: "elements",
  render: (body, call, { plan, closers }) => renderElements(body, call.arguments, plan, closers),
  whole: wholeElementsBody,
  starts(body, look, at, plan) {
    return mayBeText(look, at, plan) ? textBegins(look, at) : String(body.open[0]).startsWith(look.text.charAt(at));
  },
  reader(body, { node, host, stated, repaired }) {
    const call = host.currentCall();
    const notes = elementsNotes(host, repaired);
    const emitter = call.argumentEmitter();
    const reader = new ElementsReader(body, { emitter, plan: call.plan, notes, after: afterBody(node) });
    if (stated?.size) reader.takeStated(stated);
    return reader;
  },
};

/** What a reader of elements notes of the current call, and asks of its host. */
export function elementsNotes(host: CallHost, repaired: ElementsNotes["repaired"]): ElementsNotes {
  const call = host.currentCall();
  return {
    repaired,
    rejected: rejecting(host),
    isTool: (name) => host.isTool(name),
    opensCalls: (name) => host.opensCalls(name),
    answered: (text) => call.answered(text),
  };
}

/** Renders arguments, one element each. Throws {@link RenderError} if the markup cannot represent one. */
export function renderElements(
  body: ElementsBody,
  object: Record<string, unknown>,
  plan: Plan,
  closers: readonly string[],
): string {
  const entries = Object.entries(object);
  return entries
    .map(([key, value], i) => {
      if (!PLAIN_NAME.test(key)) {
        throw new RenderError("unwritable-key", `The argument ${JSON.stringify(key)} cannot be an element's name.`);
      }
      const leaf = property(plan, key)?.plan;
      if (body.leaf === "text" && typeof value === "string") {
        const given = entries.slice(0, i + 1).map(([name]) => name);
        refuseOpening(body, key, value, { given, declared: [...plan.properties.keys()] });
        const next = entries[i + 1]?.[0];
        const isSeen = next !== undefined && fill(body.open, next, "").trim().length <= LOOKAHEAD;
        const endsKnown = next === undefined || (isSeen && leaf?.kind === "string" && plan.properties.has(next));
        refuseUnclosed(body, key, value, closers, endsKnown);
      }
      // The tag of an argument within the text of another one could open or close that argument.
      if (body.leaf === "markup" && typeof value === "string" && isPlainText(body, value, leaf)) {
        const tags = tagsIn(value);
        const isArgument = [...plan.properties.keys()].some((name) => tags.has(name.toLowerCase()));
        if (isArgument) return element(body, key, escapeXmlText(value), closers, "string");
      }
      return renderElement(body, key, value, leaf, closers);
    })
    .join("");
}

/** Renders one argument with its markup. Throws {@link RenderError} if the markup cannot represent the value. */
export function renderElement(
  body: ElementsBody,
  key: string,
  value: unknown,
  plan: Plan | undefined,
  closers: readonly string[],
): string {
  const content = renderLeaf(body, key, value, plan, closers);
  return element(body, key, content, closers, isPlainText(body, value, plan) ? "string" : typeOf(value));
}

function element(body: ElementsBody, key: string, content: string, closers: readonly string[], type = ""): string {
  const close = fill(body.close, key, type);
  const opened = fill(body.open, key, type);
  return opened + (body.leaf === "text" ? plainText(key, content, opened, close, closers) : content) + close;
}

/** The names of the tags in a text, in lower case. */
const tagsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/<[\s/]*([\p{L}_][\p{L}\p{N}_.:-]*)/gu)].map(([, tag = ""]) => tag.toLowerCase()));

/** Renders text unchanged if that is read back; several lines between layout newlines. Otherwise with entities. */
function rawMarkup(key: string, text: string, closers: readonly string[]): string {
  const names = [key, ...closers.map((closer) => closer.slice(2, -1))];
  const tags = tagsIn(text);
  if (decodeMarkup(text) !== text || text.endsWith("\r") || names.some((name) => tags.has(name.toLowerCase()))) {
    return escapeXmlText(text);
  }
  return text.includes("\n") ? `\n${text}\n` : text;
}

/**
 * Refuses text that would be read as an argument's tag, or, unless only mentioned, as that of a given one or of another
 * call.
 */
function refuseOpening(
  body: ElementsBody,
  key: string,
  text: string,
  { given, declared }: { given: readonly string[]; declared: readonly string[] },
): void {
  const [open = "", , after = ""] = body.open.map((part) => (typeof part === "string" ? part.trim() : ""));
  let before = "";
  const taken = text.split(open).find((piece, i) => {
    const isMentioned = isMentionedIn(before);
    before = piece;
    const [name = "", rest] = piece.split(after.charAt(0), 2);
    if (i === 0 || rest === undefined || declared.length === 0) return false;
    // An element that is not a declared argument may contain arguments.
    if (name === "") return !declared.includes(key);
    return !isMentioned || (declared.includes(name) && !given.includes(name));
  });
  if (taken === undefined) return;
  throw unwritable(
    key,
    `contains text that reads as the beginning of ${JSON.stringify(taken.split(after.charAt(0), 1)[0])}`,
  );
}

/**
 * Refuses a tag that the text opens and does not close, because it would take the call's next closing tag: that of the
 * call's elements, or of the argument if no known text follows it.
 */
function refuseUnclosed(
  body: ElementsBody,
  key: string,
  text: string,
  closers: readonly string[],
  endsKnown: boolean,
): void {
  const close = fill(body.close, key, "").trim();
  const names = (endsKnown ? closers : [close, ...closers]).flatMap((tag) => closedBy(tag) ?? []);
  const opened = names.find((name) => {
    const after = text.split(`<${name}`).slice(1);
    return after.some((rest) => /^[\s=/>]/.test(rest) || rest === "");
  });
  if (opened === undefined) return;
  throw unwritable(key, `contains <${opened}, which would take its closing tag from the call`);
}

const unwritable = (key: string, why: string) =>
  new RenderError("unwritable-value", `The argument ${JSON.stringify(key)} ${why}.`);

/** Text that contains none of these markers. Throws {@link RenderError} if it does. */
function withoutClosers(key: string, text: string, closers: readonly string[]): string {
  const closer = closers.find((tag) => text.includes(tag));
  if (closer === undefined) return text;
  throw unwritable(key, `contains ${closer}, which would end it`);
}

/** Renders text unchanged. Text that begins with a newline, which would be read as layout, gets newlines around it. */
function plainText(key: string, text: string, open: string, close: string, closers: readonly string[]): string {
  withoutClosers(key, text, [close.trim(), ...closers]);
  if (text.trimStart().startsWith(open.slice(open.lastIndexOf("<")).trim()))
    throw unwritable(key, "begins with its own tag");
  const layout = !open.endsWith("\n") && /^[ \t]*\r?\n/.test(text) ? "\n" : "";
  if (text.endsWith("\r") && (layout + close).startsWith("\n")) throw unwritable(key, "ends with a carriage return");
  return layout + text + layout;
}

function fill(parts: readonly (string | Slot)[], key: string, type: string): string {
  const values: Partial<Record<Slot["slot"], string>> = { key, type, string: String(type === "string") };
  return parts.map((part) => (typeof part === "string" ? part : (values[part.slot] ?? ""))).join("");
}

/** Whether an argument is written as text without quotes: the schema, or an attribute, distinguishes it from JSON. */
const isPlainText = (body: ElementsBody, value: unknown, plan: Plan | undefined) =>
  typeof value === "string" &&
  (plan?.onlyString || body.open.some((part) => typeof part !== "string" && part.slot !== "key"));

function renderLeaf(
  body: ElementsBody,
  key: string,
  value: unknown,
  plan: Plan | undefined,
  closers: readonly string[],
): string {
  const escaped = (text: string) => {
    if (body.leaf === "exact") return withoutClosers(key, text, closers);
    if (body.leaf === "text") return text;
    return body.leaf === "xml" ? escapeXmlText(text) : rawMarkup(key, text, closers);
  };
  if (typeof value === "string" && isPlainText(body, value, plan)) return escaped(value);
  if (body.structured === "nested" && Array.isArray(value) && plan?.kind === "array" && value.length > 0) {
    return value
      .map((item) => element(body, "item", renderLeaf(body, "item", item, plan.items, closers), closers))
      .join("");
  }
  if (body.structured === "nested" && isObject(value) && plan?.kind === "object" && Object.keys(value).length > 0) {
    return renderElements(body, value, plan, closers);
  }
  const json = renderJson(value);
  if (body.leaf === "xml") return escaped(json);
  // Here `<` occurs only inside strings, where the escape prevents that a tag is found.
  return escaped(json.replace(body.leaf === "markup" ? /</g : formatTags(body, closers), "\\u003c"));
}

/**
 * Matches the `<` of every tag, in any spelling, with a name from the markup of arguments, of the call or of its block.
 */
function formatTags({ open, close }: ElementsBody, closers: readonly string[]): RegExp {
  const literals = [...open, ...close].filter((part) => typeof part === "string");
  const names = [...literals, ...closers].flatMap((part) =>
    [...part.matchAll(/<\/?(?:[\p{L}｜_][\p{L}\p{N}｜_.-]*:)?([\p{L}｜_][\p{L}\p{N}_.｜▁-]*)/gu)].map(
      ([, name = ""]) => name,
    ),
  );
  const alternatives = [...new Set(names)].map(escapeRegExp);
  if (alternatives.length === 0) return /(?!)/g;
  return new RegExp(`<(?=[\\s/]*(?:[\\p{L}\\p{N}｜_.-]+:)?(?:${alternatives.join("|")}))`, "giu");
}

/** Escapes newlines at both ends: raw ones there are layout, which the reader removes. */
const escapeXmlText = (text: string) =>
  xmlText(text)
    .replace(/^[ \t]*\r?\n/, spellNewlines)
    .replace(/\r?\n[ \t]*$/, spellNewlines);

const spellNewlines = (text: string) => text.replaceAll("\r", "&#13;").replaceAll("\n", "&#10;");
