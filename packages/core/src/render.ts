import { RenderError } from "./errors.js";
import { isObject } from "./plain-object.js";
import type { AttributesBody, Body, ElementsBody, Slot, Syntax } from "./protocol.js";
import { renderYaml } from "./render-yaml.js";
import { decodeMarkup, isSpokenOf } from "./reply/bodies/markup.js";
import { ATTRIBUTE_NAME, aliasesFor, noAliases } from "./schema/aliases.js";
import { anyPlan, type Plan, planFor, property } from "./schema/plan.js";
import { closedBy } from "./syntax/spelling.js";
import { isBodyOf, isSlot } from "./syntax/syntax.js";
import { closingTagsAfter } from "./syntax/tokens.js";
import { BARE_NAME, ELEMENT_NAME } from "./tool-name.js";
import { xmlText } from "./tool-text/xml-text.js";
import type { ToolCall, ToolDefinition } from "./types.js";

/**
 * Writes calls in a syntax, one after the other; where it says nothing else, separated by a newline.
 *
 * Errors: {@link RenderError} where the format cannot hold a name, a key or a value.
 *
 * @example
 * renderCalls(hermes.syntax, [{ name: "add", arguments: { a: 1 } }], tools);
 * // <tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>
 */
export function renderCalls(
  syntax: Syntax,
  calls: readonly Pick<ToolCall, "name" | "arguments">[],
  tools: readonly ToolDefinition[],
): string {
  const { open, separator, close } = syntax.block ?? { open: "", separator: "\n", close: "" };
  const written = calls.map((call, index) => {
    const plan = planFor(tools.find((tool) => tool.name === call.name)?.parameters);
    return syntax.call
      .map((part, i) => {
        if (typeof part === "string") return part;
        if (!isSlot(part)) {
          return part.body === "attributes"
            ? renderAttributes(part, call, plan, tools)
            : renderBody(part, call, plan, index, closingTagsAfter(syntax, i, call.name));
        }
        return part.slot === "index" ? String(index) : renderName(call.name, syntax, i);
      })
      .join("");
  });
  return open + written.join(separator) + close;
}

/** What calls in this syntax name a tool by: its alias, where the syntax has them. */
export function nameInCalls(syntax: Syntax, name: string, tools: readonly ToolDefinition[]): string {
  for (const part of syntax.call) {
    if (!isBodyOf(part, "attributes") || !part.aliases) continue;
    return aliasesFor(tools, part.aliases, part.name).tools.short(name);
  }
  return name;
}

/** A name stands as it is; inside an attribute it is escaped; where it would end its own slot it is refused. */
function renderName(name: string, { call, spans = [] }: Syntax, i: number): string {
  const [before, next] = [call[i - 1], call[i + 1]];
  if (before === "<" || before === "</") {
    const isSpan = spans.some(({ open }) => `<${name}>`.startsWith(open));
    if (isSpan || !ELEMENT_NAME.test(name)) {
      const why = isSpan ? "is that of a marker of the format" : "cannot be an element's name";
      throw new RenderError("unwritable-name", `The tool name ${JSON.stringify(name)} ${why}.`);
    }
  }
  const end = typeof next === "string" ? next.trimStart() : "";
  if (end.startsWith('"')) return escapeQuoted(name);
  if (!BARE_NAME.test(name) || (end !== "" && name.includes(end))) {
    const allowed = "letters, digits, _ $ . : / and -";
    throw new RenderError("unwritable-name", `The tool name ${JSON.stringify(name)} has other signs than ${allowed}.`);
  }
  return name;
}

function renderBody(
  body: Exclude<Body, AttributesBody>,
  call: Pick<ToolCall, "name" | "arguments">,
  plan: Plan,
  index: number,
  closers: readonly string[],
): string {
  switch (body.body) {
    case "json-call":
      return renderJson({
        ...(body.index === undefined ? {} : { [body.index]: String(index) }),
        [body.name]: call.name,
        [body.arguments]: call.arguments,
      });
    case "keyed-call":
      return renderJson({ [call.name]: call.arguments });
    case "json":
      if (body.quote !== undefined) return renderQuoted(call.arguments, body.quote);
      return body.escape === "markup" ? escapeMarkup(renderJson(call.arguments)) : renderJson(call.arguments);
    case "yaml":
      return renderYaml(call.arguments, plan, closers);
    case "elements":
      return renderElements(body, call.arguments, plan, closers);
    case "python-arguments":
      return renderPythonArguments(call.arguments);
    case "input":
      return renderJson(call.arguments);
    case "action":
      return renderJson({ [body.action]: { [body.name]: call.name, [body.arguments]: call.arguments } });
  }
}

function renderAttributes(
  body: AttributesBody,
  call: Pick<ToolCall, "name" | "arguments">,
  plan: Plan,
  tools: readonly ToolDefinition[],
): string {
  const aliases = body.aliases && aliasesFor(tools, body.aliases, body.name);
  const keys = aliases?.parameters(call.name) ?? noAliases;
  if (aliases && aliases.tools.long(call.name) !== call.name) {
    throw new RenderError("unwritable-name", `The tool name ${JSON.stringify(call.name)} is an alias of another tool.`);
  }
  const written = Object.entries(call.arguments).map(([key, value]) => {
    const attribute = keys.short(key);
    const isTaken = attribute.toLowerCase() === body.name || keys.long(attribute) !== key;
    if (isTaken || !ATTRIBUTE_NAME.test(attribute)) {
      const why = isTaken ? "stands for something else" : "cannot be an attribute's name";
      throw new RenderError("unwritable-key", `The argument ${JSON.stringify(key)} ${why}.`);
    }
    return ` ${attribute}=${renderAttribute(value, property(plan, key)?.plan)}`;
  });
  const name = escapeQuoted(aliases?.tools.short(call.name) ?? call.name);
  return `<${body.tag} ${body.name}="${name}"${written.join("")}/>`;
}

function renderAttribute(value: unknown, plan: Plan = anyPlan): string {
  const how = attributeLeaf(plan);
  if (how === "text" && typeof value === "string") return `"${escapeQuoted(value)}"`;
  const isWord = value === null || typeof value === "number" || typeof value === "boolean";
  return isWord && (how === "word" || how === "any")
    ? `"${renderJson(value)}"`
    : `'${escapeMarkup(renderJson(value))}'`;
}

/**
 * How a value at this place stands in an attribute: as text or, a number, boolean or null, as a word in double quotes;
 * or as JSON in single quotes. `any`: as a word or as JSON. It depends on the place and not on the value, so that a
 * model sees each parameter written in one way, and a grammar can hold it to that.
 */
export function attributeLeaf(plan: Plan): "text" | "word" | "json" | "any" {
  if (plan.onlyString) return "text";
  if (plan.kind === "any") return "any";
  return plan.types?.every((type) => WORDS.has(type)) && plan.branches.length === 0 ? "word" : "json";
}

const WORDS = new Set(["number", "integer", "boolean", "null"]);

/** JSON with bare keys, strings between marks of their own, and no space. */
function renderQuoted(value: unknown, quote: string): string {
  if (typeof value === "string") {
    if (value.includes(quote))
      throw new RenderError("unwritable-value", `A string holds the mark ${quote} that ends it.`);
    return quote + value + quote;
  }
  if (Array.isArray(value)) return `[${value.map((item) => renderQuoted(item, quote)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).map(([key, part]) => {
    if (!ELEMENT_NAME.test(key)) {
      throw new RenderError("unwritable-key", `The key ${JSON.stringify(key)} cannot stand without quotation marks.`);
    }
    return `${key}:${renderQuoted(part, quote)}`;
  });
  return `{${entries.join(",")}}`;
}

function renderPythonArguments(args: Record<string, unknown>): string {
  const written = Object.entries(args).map(([key, value]) => {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)) {
      throw new RenderError("unwritable-key", `The argument ${JSON.stringify(key)} cannot be a Python keyword.`);
    }
    return `${key}=${renderPython(value)}`;
  });
  return `(${written.join(", ")})`;
}

/** A value as Python writes it. JSON's strings are Python's, too. */
function renderPython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderPython).join(", ")}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${renderPython(part)}`);
    return `{${entries.join(", ")}}`;
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null || value === undefined ? "None" : JSON.stringify(value);
}

function renderElements(
  body: ElementsBody,
  object: Record<string, unknown>,
  plan: Plan,
  closers: readonly string[],
): string {
  const entries = Object.entries(object);
  return entries
    .map(([key, value], i) => {
      if (!ELEMENT_NAME.test(key)) {
        throw new RenderError("unwritable-key", `The argument ${JSON.stringify(key)} cannot be an element's name.`);
      }
      const leaf = property(plan, key)?.plan;
      if (body.leaf === "text" && typeof value === "string") {
        const given = entries.slice(0, i + 1).map(([name]) => name);
        refuseOpening(body, key, value, { given, declared: [...plan.properties.keys()] });
        const next = entries[i + 1]?.[0];
        const endsKnown = next === undefined || (leaf?.kind === "string" && plan.properties.has(next));
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

/** One argument with its markup. Throws {@link RenderError} where it cannot hold the value. */
export function renderElement(
  body: ElementsBody,
  key: string,
  value: unknown,
  plan: Plan | undefined,
  closers: readonly string[],
): string {
  const content = renderLeaf(body, key, value, plan, closers);
  return element(body, key, content, closers, isPlainText(body, value, plan) ? "string" : typeName(value));
}

function element(body: ElementsBody, key: string, content: string, closers: readonly string[], type = ""): string {
  const close = fill(body.close, key, type);
  const opened = fill(body.open, key, type);
  return opened + (body.leaf === "text" ? plainText(key, content, opened, close, closers) : content) + close;
}

/** The names of the tags that a text holds, in lower case. */
const tagsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/<[\s/]*([\p{L}_][\p{L}\p{N}_.:-]*)/gu)].map(([, tag = ""]) => tag.toLowerCase()));

/** Text as it is, where it is read so; several lines between newlines, which are layout. Else with entities. */
function rawMarkup(key: string, text: string, closers: readonly string[]): string {
  const names = [key, ...closers.map((closer) => closer.slice(2, -1))];
  const tags = tagsIn(text);
  if (decodeMarkup(text) !== text || text.endsWith("\r") || names.some((name) => tags.has(name.toLowerCase()))) {
    return escapeXmlText(text);
  }
  return text.includes("\n") ? `\n${text}\n` : text;
}

/** What begins as an argument would be read as one or, unless it is spoken of, as one given before or of another call. */
function refuseOpening(
  body: ElementsBody,
  key: string,
  text: string,
  { given, declared }: { given: readonly string[]; declared: readonly string[] },
): void {
  const [open = "", , after = ""] = body.open.map((part) => (typeof part === "string" ? part.trim() : ""));
  let before = "";
  const taken = text.split(open).find((piece, i) => {
    const isSpoken = isSpokenOf(before);
    before = piece;
    const [name = "", rest] = piece.split(after.charAt(0), 2);
    if (i === 0 || rest === undefined || declared.length === 0) return false;
    // What is no declared argument may contain arguments.
    if (name === "") return !declared.includes(key);
    return !isSpoken || (declared.includes(name) && !given.includes(name));
  });
  if (taken === undefined) return;
  const where = `The argument ${JSON.stringify(key)} holds text`;
  throw new RenderError(
    "unwritable-value",
    `${where} that reads as the beginning of ${JSON.stringify(taken.split(after.charAt(0), 1)[0])}.`,
  );
}

/**
 * A tag that the text opens and does not close takes the call's next closing tag for its own: of the call's elements, and
 * of the argument's where nothing known follows it.
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
  const where = `The argument ${JSON.stringify(key)} holds <${opened}`;
  throw new RenderError("unwritable-value", `${where}, whose closing tag would be taken from the call.`);
}

/** Text as it is. A newline at its start would be taken for layout, so where there is none, it stands between newlines. */
function plainText(key: string, text: string, open: string, close: string, closers: readonly string[]): string {
  const unwritable = (why: string) =>
    new RenderError("unwritable-value", `The argument ${JSON.stringify(key)} ${why}.`);
  const closer = [close.trim(), ...closers].find((tag) => text.includes(tag));
  if (closer !== undefined) throw unwritable(`holds ${closer}, which would end it`);
  const layout = !open.endsWith("\n") && /^[ \t]*\r?\n/.test(text) ? "\n" : "";
  if (text.endsWith("\r") && (layout + close).startsWith("\n")) throw unwritable("ends with a carriage return");
  return layout + text + layout;
}

function fill(parts: readonly (string | Slot)[], key: string, type: string): string {
  const values: Partial<Record<Slot["slot"], string>> = { key, type, string: String(type === "string") };
  return parts.map((part) => (typeof part === "string" ? part : (values[part.slot] ?? ""))).join("");
}

const typeName = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Whether an argument is written as text without quotes: where the schema, or an attribute, tells it from JSON. */
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
  // Here `<` stands only inside strings, where it can be spelt so that no tag is found in it.
  return escaped(json.replace(body.leaf === "markup" ? /</g : formatTags(body, closers), "\\u003c"));
}

/** The `<` of every tag, in any spelling, that has a name which the markup of arguments, of the call or of its block has. */
function formatTags({ open, close }: ElementsBody, closers: readonly string[]): RegExp {
  const literals = [...open, ...close].filter((part) => typeof part === "string");
  const names = [...literals, ...closers].flatMap((part) =>
    [...part.matchAll(/<\/?(?:[\p{L}｜_][\p{L}\p{N}｜_.-]*:)?([\p{L}｜_][\p{L}\p{N}_.｜▁-]*)/gu)].map(
      ([, name = ""]) => name,
    ),
  );
  const alternatives = [...new Set(names)].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (alternatives.length === 0) return /(?!)/g;
  return new RegExp(`<(?=[\\s/]*(?:[\\p{L}\\p{N}｜_.-]+:)?(?:${alternatives.join("|")}))`, "giu");
}

/** JSON on one line with a space after `,` and `:`, as Python's `json.dumps` writes it and models were trained on. */
export function renderJson(value: unknown): string {
  // A raw newline never stands inside a JSON string, so those that JSON.stringify indents with are the only ones.
  return (JSON.stringify(value, null, 1) ?? "null").replace(/,\n */g, ", ").replace(/\n */g, "");
}

/** In JSON these three stand only inside strings, where `\u00XX` says the same and cannot be taken for markup. */
const escapeMarkup = (json: string) =>
  json.replace(/[<&']/g, (char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, "0")}`);

const escapeQuoted = (text: string) => xmlText(text).replaceAll('"', "&quot;");

/** Newlines at either end are spelt out: raw ones there are layout, which reading takes away. */
const escapeXmlText = (text: string) =>
  xmlText(text)
    .replace(/^[ \t]*\r?\n/, spellNewlines)
    .replace(/\r?\n[ \t]*$/, spellNewlines);

const spellNewlines = (text: string) => text.replaceAll("\r", "&#13;").replaceAll("\n", "&#10;");
