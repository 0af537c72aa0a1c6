import type { ActionBody, Body, Syntax, Part as SyntaxPart } from "../../protocol.js";
import { isSlot } from "../../syntax/syntax.js";
import { closingTagsAfter } from "../../syntax/tokens.js";
import { ELEMENT_NAME } from "../../tool-name.js";
import type { ToolDefinition } from "../../types.js";
import { GrammarError, unsatisfiable } from "../errors.js";
import type { GrammarGap, GrammarGaps } from "../gaps.js";
import { type JsonStyle, jsonSpelling, MAX_UNORDERED, type Spelling, spellingOf } from "../json-style.js";
import { isCountable, type Member, memberList } from "../member-list.js";
import { choice, type Rules, repeat, sequence } from "../rules.js";
import type { ArgumentShape, Part } from "../schema/argument-shapes.js";
import { JsonRules } from "../schema/json-rules.js";
import { SchemaRules } from "../schema/schema-rules.js";
import { rawSigns } from "../text/string-signs.js";
import { attributeRules } from "./attribute-rules.js";
import { elementRules } from "./element-rules.js";

/** A piece of a call: fixed text, one optional space, or an expression of the grammar. */
export type Term = { text: string } | { space: true } | { rule: string };

/** Builds the grammar of one tool's call, and collects the gaps between the grammar and the parameters. */
export class CallContext implements GrammarGaps {
  readonly unenforced: GrammarGap[] = [];
  readonly narrowed: GrammarGap[] = [];
  /** A possible argument that the format cannot write. */
  private leftOut: string | undefined;
  private readonly compilers = new Map<Spelling, SchemaRules>();

  constructor(
    readonly tool: ToolDefinition,
    private readonly tools: readonly ToolDefinition[],
    private readonly syntax: Syntax,
    readonly rules: Rules,
    private readonly style: JsonStyle,
  ) {}

  /** The pieces of the call, in order. */
  terms(): Term[] {
    return this.syntax.call.flatMap((part, i) => this.partTerms(part, i));
  }

  /** The compiler of the tool's parameters for a spelling, created on first use. */
  compiler(spelling: Spelling): SchemaRules {
    let compiler = this.compilers.get(spelling);
    if (!compiler) {
      compiler = new SchemaRules(this.tool.parameters ?? { type: "object" }, this.rules, this.style, spelling, this);
      this.compilers.set(spelling, compiler);
    }
    return compiler;
  }

  /**
   * An expression for the arguments, separated by `comma`. `write` returns the expression for one argument, or
   * undefined if the format cannot write it.
   *
   * Errors: {@link GrammarError} `unsupported` where the arguments depend on more than their keys, or the format cannot
   * write a required one; `unsatisfiable`.
   */
  arguments(compiler: SchemaRules, write: (part: Part) => string | undefined, comma = ""): string {
    const shapes = compiler.shapes();
    if (!shapes) throw unsupported(`the parameters of tool ${JSON.stringify(this.tool.name)}`);
    const lists = shapes
      .map((shape) => this.list(shape, compiler, write, { comma, hint: this.tool.name }))
      .filter((list) => list !== undefined);
    if (lists.length === 0 && shapes.some(({ isOpen, min = 0, parts }) => isOpen && min > parts.length))
      throw unsupported(`undeclared keys in the parameters of tool ${JSON.stringify(this.tool.name)}`);
    if (lists.length === 0) throw this.unsatisfiable(compiler);
    return choice(lists.map((list) => (list === "" && lists.length > 1 ? '""' : list)));
  }

  /** An expression for the members of an object; undefined where no object matches. */
  list(
    { parts, min, max, notes }: ArgumentShape,
    compiler: SchemaRules,
    write: (part: Part) => string | undefined,
    { comma, hint }: { comma: string; hint: string },
  ): string | undefined {
    const members: Member[] = [];
    for (const part of parts) {
      const written = write(part);
      if (written !== undefined) members.push({ name: part.key, written, required: part.required });
      else if (compiler.part(part) !== undefined) this.leaveOut(part, notes);
      else if (part.required) return undefined;
    }
    const anyOrder = members.length <= (this.style.maxUnordered ?? MAX_UNORDERED);
    if (!anyOrder) notes.narrowed("properties");
    const list = { members, min, max, comma, anyOrder };
    const isCounted = isCountable(list);
    if (!isCounted && min !== undefined) notes.unenforced("minProperties");
    if (!isCounted && max !== undefined) notes.unenforced("maxProperties");
    const uncounted = { members, comma, anyOrder };
    const made = memberList(this.rules, hint, isCounted ? list : uncounted);
    return made ?? notes.nothing(max === undefined ? "minProperties" : "maxProperties");
  }

  private leaveOut({ key, required }: Part, { narrowed }: ArgumentShape["notes"]): void {
    if (required) throw unsupported(`the argument ${JSON.stringify(key)} in this format`);
    this.leftOut = key;
    narrowed("properties");
  }

  /** The error where no arguments match: `unsupported` if some were left out because the format cannot write them. */
  private unsatisfiable({ cause }: SchemaRules): GrammarError {
    const name = JSON.stringify(this.tool.name);
    const unwritten = [...this.compilers.values()].find((one) => one.unwritten)?.unwritten;
    if (unwritten)
      return unsupported(
        `the values that ${unwritten.keyword} at ${JSON.stringify(unwritten.path)} of tool ${name} lists`,
      );
    if (this.leftOut !== undefined) return unsupported(`the argument ${JSON.stringify(this.leftOut)} in this format`);
    return unsatisfiable(`arguments match the parameters of tool ${name}`, cause, this.tool.name);
  }

  private partTerms(part: SyntaxPart, i: number): Term[] {
    const { call } = this.syntax;
    const { name } = this.tool;
    if (typeof part === "string") return [{ text: part }];
    if (!isSlot(part)) return this.bodyTerms(part, i);
    if (part.slot === "index") return [{ rule: "[0-9]{1,3}" }];
    const inTag = call[i - 1] === "<" || call[i - 1] === "</";
    // A name with markup in it is written with entities, which differ from place to place.
    const isWritable = (inTag ? ELEMENT_NAME.test(name) : !/[<>&"']/.test(name)) && !this.isTaken(i);
    if (part.slot === "name" && isWritable) return [{ text: name }];
    throw unsupported(`a ${part.slot} slot with ${JSON.stringify(name)}`);
  }

  /** Whether the call up to the tool's name begins with a stop word, or reads as the beginning of another form. */
  private isTaken(i: number): boolean {
    const { call, also = [], stop = [] } = this.syntax;
    const before = call.slice(0, i);
    if (before.some((part) => typeof part !== "string")) return false;
    const written = before.join("") + this.tool.name;
    const others = also.map((form) => textUpTo(form.call));
    return (
      stop.some((word) => written.startsWith(word)) ||
      others.some((other) => other.startsWith(written) && !NAME_CHARACTER.test(other.charAt(written.length)))
    );
  }

  private bodyTerms(body: Body, i: number): Term[] {
    const { name } = this.tool;
    switch (body.body) {
      case "json":
        return [{ rule: this.object(body.quote === undefined ? spellingOf(body) : quotedSpelling(body.quote)) }];
      case "keyed-call":
        return [{ text: `{${JSON.stringify(name)}:` }, { space: true }, { rule: this.object() }, { text: "}" }];
      case "json-call":
        return this.jsonCall(body.name, body.arguments, body.index);
      case "elements":
        return [{ rule: elementRules(body, this.tool, closingTagsAfter(this.syntax, i, name), this) }];
      case "attributes": {
        const { name: short, attributes } = attributeRules(body, this.tool, this.tools, this);
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

  /** The arguments as one JSON object. */
  private object(spelling: Spelling = jsonSpelling): string {
    const compiler = this.compiler(spelling);
    const expression = compiler.compile(this.tool.name, "object");
    if (expression === undefined) throw this.unsatisfiable(compiler);
    return expression;
  }

  private jsonCall(name: string, args: string, index?: string): Term[] {
    const text = (value: string, after: string): Term[] => [{ text: JSON.stringify(value) + after }, { space: true }];
    const number: Term[] =
      index === undefined
        ? []
        : [...text(index, ":"), { text: '"' }, { rule: "[0-9]{1,3}" }, { text: '",' }, { space: true }];
    const named = [...text(name, ":"), ...text(this.tool.name, ","), ...text(args, ":")];
    return [{ text: "{" }, ...number, ...named, { rule: this.object() }, { text: "}" }];
  }

  private pythonArguments(): string {
    const compiler = this.compiler(pythonSpelling);
    const write = (part: Part) => {
      const value = PYTHON_NAME.test(part.key) ? compiler.part(part) : undefined;
      return value && sequence(`"${part.key}="`, value);
    };
    const { comma } = JsonRules.of(this.rules, this.style, jsonSpelling);
    return sequence('"("', this.arguments(compiler, write, comma), '")"');
  }

  private action(body: ActionBody): Term[] {
    const json = JsonRules.of(this.rules, this.style, jsonSpelling);
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

const NAME_CHARACTER = /[\p{L}\p{N}_-]/u;

const PYTHON_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

const pythonSpelling: Spelling = { ...jsonSpelling, words: ["True", "False", "None"] };

const quotedSpelling = (mark: string): Spelling => ({
  strings: rawSigns(mark, []),
  words: jsonSpelling.words,
  whitespace: "none",
  bareKeys: true,
});

const unsupported = (what: string) => new GrammarError("unsupported", `No grammar yet for ${what}.`);
