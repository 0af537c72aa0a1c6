import { PYTHON_NAME } from "../../schema/names.js";
import { whyNoElement } from "../../syntax/element-names.js";
import { markedElements } from "../../syntax/parts.js";
import {
  type ActionBody,
  type Body,
  isSlot,
  type MarkedElementsBody,
  type Part as SyntaxPart,
} from "../../syntax/syntax.js";
import { closingTagsAfter } from "../../syntax/tokens.js";
import { jsonSpelling, type Spelling, spellingOf } from "../json-style.js";
import { repeat, sequence } from "../rules.js";
import type { Part } from "../schema/argument-shapes.js";
import { JsonRules } from "../schema/json-rules.js";
import { rawStrings } from "../text/string-notation.js";
import { attributeRules } from "./attribute-rules.js";
import { type CallContext, unsupported } from "./call-context.js";
import { elementRules } from "./element-rules.js";

/** A piece of a call: fixed text, one optional space, or an expression of the grammar. */
export type Term = { text: string } | { space: true } | { rule: string };

/** The pieces of one tool's call, in order. */
export const callTerms = (call: CallContext): Term[] => new CallTerms(call).all();

class CallTerms {
  constructor(private readonly call: CallContext) {}

  all(): Term[] {
    return this.call.syntax.call.flatMap((part, i) => this.partTerms(part, i));
  }

  private partTerms(part: SyntaxPart, i: number): Term[] {
    const { call } = this.call.syntax;
    const { name } = this.call.tool;
    if (typeof part === "string") return [{ text: part }];
    if (!isSlot(part)) return this.bodyTerms(part, i);
    if (part.slot === "index") return [{ rule: `[0-9]{${part.digits ?? "1,3"}}` }];
    const inTag = call[i - 1] === "<" || call[i - 1] === "</";
    // A name with markup in it is written with entities, which differ from place to place.
    const isWhole = inTag ? whyNoElement(name, this.call.syntax) === undefined : !/[<>&"']/.test(name);
    const isWritable = isWhole && !this.isTaken(i);
    if (part.slot === "name" && isWritable) return [{ text: name }];
    throw unsupported(`a ${part.slot} slot with ${JSON.stringify(name)}`);
  }

  /** Whether the call up to the tool's name begins with a stop word, or reads as the beginning of another form. */
  private isTaken(i: number): boolean {
    const { call, also = [], stop = [] } = this.call.syntax;
    const before = call.slice(0, i);
    if (before.some((part) => typeof part !== "string")) return false;
    const written = before.join("") + this.call.tool.name;
    const others = also.map((form) => textUpTo(form.call));
    return (
      stop.some((word) => written.startsWith(word)) ||
      others.some((other) => other.startsWith(written) && !WORD_CHARACTER.test(other.charAt(written.length)))
    );
  }

  private bodyTerms(body: Body, i: number): Term[] {
    const { name } = this.call.tool;
    switch (body.body) {
      case "json":
        return [{ rule: this.object(body.quote === undefined ? spellingOf(body) : quotedSpelling(body.quote)) }];
      case "keyed-call":
        return [{ text: `{${JSON.stringify(name)}:` }, { space: true }, { rule: this.object() }, { text: "}" }];
      case "json-call":
        return this.jsonCall(body.name, body.arguments, body.index);
      case "elements":
        return [{ rule: elementRules(body, this.call.tool, closingTagsAfter(this.call.syntax, i, name), this.call) }];
      case "marked-elements":
        return [{ rule: this.markedElements(body, i) }];
      case "attributes": {
        const { name: short, attributes } = attributeRules(body, this.call.tool, this.call.tools, this.call);
        if (/[<>&"']/.test(short)) throw unsupported(`the name ${JSON.stringify(short)} in an attribute`);
        return [{ text: `<${body.tag} ${body.name}="${short}"` }, { rule: attributes }, { text: "/>" }];
      }
      case "python-arguments":
        return [{ rule: this.pythonArguments() }];
      case "input":
        return [{ rule: this.object() }];
      case "action":
        return this.action(body);
      case "yaml":
        throw unsupported(`${body.body} bodies`);
    }
  }

  /** The mark is in every closing tag. */
  private markedElements(body: MarkedElementsBody, i: number): string {
    const closers = [body.mark, ...closingTagsAfter(this.call.syntax, i, this.call.tool.name)];
    return elementRules(markedElements(body), this.call.tool, closers, this.call);
  }

  /** The arguments as one JSON object. */
  private object(spelling: Spelling = jsonSpelling): string {
    const compiler = this.call.compiler(spelling);
    const expression = compiler.compile(this.call.tool.name, "object");
    if (expression === undefined) throw this.call.unsatisfiable(compiler);
    return expression;
  }

  private jsonCall(name: string, args: string, index?: string): Term[] {
    const text = (value: string, after: string): Term[] => [{ text: JSON.stringify(value) + after }, { space: true }];
    const number: Term[] =
      index === undefined
        ? []
        : [...text(index, ":"), { text: '"' }, { rule: "[0-9]{1,3}" }, { text: '",' }, { space: true }];
    const named = [...text(name, ":"), ...text(this.call.tool.name, ","), ...text(args, ":")];
    return [{ text: "{" }, ...number, ...named, { rule: this.object() }, { text: "}" }];
  }

  private pythonArguments(): string {
    const compiler = this.call.compiler(pythonSpelling);
    const write = (part: Part) => {
      const value = PYTHON_NAME.test(part.key) ? compiler.part(part) : undefined;
      return value && sequence(`"${part.key}="`, value);
    };
    const { comma } = JsonRules.of(this.call.rules, this.call.style, jsonSpelling);
    return sequence('"("', this.call.arguments(compiler, write, comma), '")"');
  }

  private action(body: ActionBody): Term[] {
    const json = JsonRules.of(this.call.rules, this.call.style, jsonSpelling);
    return [
      { text: "{" },
      { rule: thoughtRule(body, json) },
      { text: `${JSON.stringify(body.action)}:` },
      { space: true },
      ...this.jsonCall(body.name, body.arguments),
      { text: "}" },
    ];
  }
}

/** The final answer, for formats that write it as a JSON object too. */
export const finalRule = (body: ActionBody, json: JsonRules): string =>
  sequence(
    '"{"',
    thoughtRule(body, json),
    json.key(body.final)!,
    '"{"',
    json.key(body.content)!,
    json.strings.any(),
    '"}}"',
  );

const thoughtRule = (body: ActionBody, json: JsonRules): string =>
  repeat(sequence(json.key(body.thought)!, json.strings.ofLength(0, body.strict?.maxThought), json.comma), 0, 1);

/** The fixed text at the beginning of every call of a form. */
function textUpTo(call: readonly SyntaxPart[]): string {
  const end = call.findIndex((part) => typeof part !== "string");
  return call.slice(0, end < 0 ? undefined : end).join("");
}

const WORD_CHARACTER = /[\p{L}\p{N}_-]/u;

const pythonSpelling: Spelling = { ...jsonSpelling, words: ["True", "False", "None"] };

const quotedSpelling = (mark: string): Spelling => ({
  strings: rawStrings(mark, []),
  words: jsonSpelling.words,
  whitespace: "none",
  bareKeys: true,
});
