import { parametersOf } from "../../schema/tool-plan.js";
import type { Syntax } from "../../syntax/syntax.js";
import type { ToolDefinition } from "../../types.js";
import { GrammarError, unsatisfiable } from "../errors.js";
import type { GrammarGap, GrammarGaps } from "../gaps.js";
import { type JsonStyle, MAX_UNORDERED, type Spelling } from "../json-style.js";
import { isCountable, type Member, memberList } from "../member-list.js";
import { choice, type Rules } from "../rules.js";
import type { ArgumentShape, Part } from "../schema/argument-shapes.js";
import { SchemaRules } from "../schema/schema-rules.js";

/**
 * What the rules of one tool's call share: the compilers of its parameters, the lists of its arguments, and the gaps
 * between the grammar and the parameters.
 */
export class CallContext implements GrammarGaps {
  readonly unenforced: GrammarGap[] = [];
  readonly narrowed: GrammarGap[] = [];
  /** A possible argument that the format cannot write. */
  private leftOut: string | undefined;
  private readonly compilers = new Map<Spelling, SchemaRules>();

  constructor(
    readonly tool: ToolDefinition,
    readonly tools: readonly ToolDefinition[],
    readonly syntax: Syntax,
    readonly rules: Rules,
    readonly style: JsonStyle,
  ) {}

  /** The compiler of the tool's parameters for a spelling, created on first use. */
  compiler(spelling: Spelling): SchemaRules {
    let compiler = this.compilers.get(spelling);
    if (!compiler) {
      compiler = new SchemaRules(parametersOf(this.tool), this.rules, this.style, spelling, this);
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
  unsatisfiable({ cause }: SchemaRules): GrammarError {
    const name = JSON.stringify(this.tool.name);
    const unwritten = [...this.compilers.values()].find((one) => one.unwritten)?.unwritten;
    if (unwritten)
      return unsupported(
        `the values that ${unwritten.keyword} at ${JSON.stringify(unwritten.path)} of tool ${name} lists`,
      );
    if (this.leftOut !== undefined) return unsupported(`the argument ${JSON.stringify(this.leftOut)} in this format`);
    return unsatisfiable(`arguments match the parameters of tool ${name}`, cause, this.tool.name);
  }
}

/** The error for what no grammar can express. */
export const unsupported = (what: string) => new GrammarError("unsupported", `There is no grammar for ${what}.`);
