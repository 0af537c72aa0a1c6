import { checkOptions } from "../../options/check-options.js";
import { preparedTools } from "../../schema/prepared-tools.js";
import { isBodyOf, type Syntax } from "../../syntax/syntax.js";
import type { GrammarTrigger, ToolChoice, ToolDefinition } from "../../types.js";
import { withSyntax } from "../any-syntax.js";
import { checkGaps, GrammarError, grammarWithinLimits } from "../errors.js";
import type { GrammarGap } from "../gaps.js";
import type { ToolCallGrammarInput, ToolCallGrammarOptions } from "../grammar-options.js";
import { type JsonStyle, jsonSpelling } from "../json-style.js";
import { callRules, NEEDED } from "../options.js";
import { choice, literal, Rules, repeat, sequence } from "../rules.js";
import { JsonRules } from "../schema/json-rules.js";
import { CallContext } from "./call-context.js";
import { callTerms, finalRule, type Term } from "./call-terms.js";
import { answerRule, callPlace, triggersOf } from "./openers.js";
import { cached } from "./tool-call-grammar-cache.js";

export interface ToolCallGrammar {
  /** In llama.cpp's GBNF; the start rule is `root`. */
  grammar: string;
  /** Keywords whose violations the grammar admits, by tool and JSON pointer into its parameters. */
  unenforced: (GrammarGap & { tool: string })[];
  /** Keywords for which the grammar admits less than the parameters. */
  narrowed: (GrammarGap & { tool: string })[];
  /** For a lazy grammar: what makes an engine start it. */
  triggers?: GrammarTrigger[];
}

/**
 * A grammar that admits only calls of these tools in this wire format: exactly its markers, and each tool's name with
 * the tool's own arguments. It admits every output of `renderCalls` (with more than `maxUnordered` arguments, only
 * those in the order of the schema), and every text that it admits parses to a call.
 *
 * Grammars are cached by tools (the same objects, which must not change afterwards); see `grammarCacheInfo`.
 *
 * Errors: {@link GrammarError} `unsupported` for tool choice `none`, for YAML, where the format cannot write an
 * argument, and for `auto` where calls begin with no marker; `no-tools`, `unknown-tool`, `unsatisfiable`,
 * `bad-prefill`; `unenforced` and `narrowed` where the options refuse a grammar that is not exact; `OptionsError`
 * (`bad-option`); `ToolDefinitionError` for a tool of unknown shape.
 *
 * @example toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" }).grammar;
 */
export function toolCallGrammar(given: ToolCallGrammarInput): ToolCallGrammar {
  checkOptions(callRules, given, "the options of toolCallGrammar", NEEDED);
  const options: ToolCallGrammarOptions = { ...given, tools: preparedTools(given.tools) };
  const { tools, protocol, onUnenforced, onNarrowed, ...others } = options;
  const made = cached(tools, withSyntax(protocol).syntax, JSON.stringify(others), () => compile(options));
  checkGaps(options, made);
  return made;
}

function compile(options: ToolCallGrammarOptions): ToolCallGrammar {
  const { syntax } = withSyntax(options.protocol);
  const tools = chosen(options.tools, options.toolChoice);
  const rules = new Rules();
  const unenforced: ToolCallGrammar["unenforced"] = [];
  const narrowed: ToolCallGrammar["narrowed"] = [];
  const { maxStringLength, maxItems, maxDepth, maxUnordered = 3, closed = true } = options;
  const style: JsonStyle = { maxStringLength, maxItems, maxDepth, maxUnordered, closed };

  const calls = tools.map((tool) => {
    const { call, terms } = grammarWithinLimits(
      tool.parameters,
      () => {
        const call = new CallContext(tool, options.tools, syntax, rules, style);
        return { call, terms: callTerms(call) };
      },
      tool.name,
    );
    unenforced.push(...call.unenforced.map((gap) => ({ tool: tool.name, ...gap })));
    narrowed.push(...call.narrowed.map((gap) => ({ tool: tool.name, ...gap })));
    return { tool: tool.name, terms };
  });
  const json = JsonRules.of(rules, style, jsonSpelling);
  const print = (terms: readonly Term[]) =>
    sequence(
      ...joined(terms).map((term) => ("text" in term ? literal(term.text) : "rule" in term ? term.rule : json.space)),
    );
  const { head, names, between, ends, tail } = factored(calls.map(({ terms }) => terms));
  const written = print(between);
  const infix: Term[] = written.length > 12 ? [{ rule: rules.add("with", written) }] : between;
  const anyTool = choice(
    calls.map(({ tool }, i) => rules.add(tool, print([...names[i]!, ...infix, ...ends[i]!]) || '""')),
  );
  const terms = [...head, { rule: anyTool }, ...tail];

  const several = (options.parallel ?? syntax.parallel) && syntax.parallel;
  const further = several ? (options.maxCalls ?? 8) - 1 : 0;
  const call = further > 0 ? rules.add("call", print(terms)) : print(terms);
  const isAuto = options.toolChoice === "auto";
  const { prefix = "", prefill = "" } = isAuto ? {} : options;
  const open = [{ text: prefix + (syntax.block?.open ?? "") }];
  const cut = (terms: readonly Term[]) => {
    const left = rest([...open, ...terms], prefill);
    return left ? [left] : [];
  };
  const before = rest(open, prefill);
  const shared = before ? [[...before, { rule: call }]] : cut(terms);
  const starts = shared.length > 0 ? shared : calls.flatMap((one) => cut(one.terms));
  if (starts.length === 0) {
    throw new GrammarError(
      "bad-prefill",
      `The prefill ${JSON.stringify(prefill)} is not how a call of these tools begins.`,
    );
  }
  const separator = syntax.block ? print([{ text: syntax.block.separator }]) : '"\\n"?';
  const close = print([{ text: syntax.block?.close ?? "" }]);
  const reply = sequence(choice(starts.map(print)), repeat(sequence(separator, call), 0, further), close);
  const gaps = { unenforced, narrowed };
  if (!isAuto) return { grammar: rules.print(reply), ...gaps };
  const [body] = syntax.call;
  const isAction = isBodyOf(body, "action");
  if (options.lazy) {
    if (isAction)
      throw new GrammarError("unsupported", "The whole reply is one object, so its grammar cannot be lazy.");
    return { grammar: rules.print(reply), ...gaps, triggers: triggersOf(syntax, tools) };
  }
  if (isAction) return { grammar: rules.print(choice([reply, finalRule(body, json)])), ...gaps };
  return { grammar: rules.print(replyRule(rules, syntax, tools, rules.add("calls", reply))), ...gaps };
}

/** A reply for tool choice `auto`: calls, or text, or text and then calls. */
function replyRule(rules: Rules, syntax: Syntax, tools: readonly ToolDefinition[], calls: string): string {
  switch (callPlace(syntax)) {
    case "anywhere":
      return answerRule(rules, syntax, tools, repeat(calls, 0, 1));
    case "line":
      return choice([calls, sequence(answerRule(rules, syntax, tools), repeat(sequence('"\\n"', calls), 0, 1))]);
    case "reply":
      return choice([calls, answerRule(rules, syntax, tools)]);
  }
}

function chosen(tools: readonly ToolDefinition[], toolChoice: ToolChoice): readonly ToolDefinition[] {
  if (toolChoice === "none") {
    throw new GrammarError("unsupported", "No grammar for tool choice none: there is nothing to constrain.");
  }
  if (tools.length === 0) throw new GrammarError("no-tools", "There is no tool to call: `tools` is empty.");
  if (toolChoice === "required" || toolChoice === "auto") return tools;
  const tool = tools.find(({ name }) => name === toolChoice.name);
  if (tool) return [tool];
  const names = tools.map(({ name }) => JSON.stringify(name)).join(", ");
  throw new GrammarError(
    "unknown-tool",
    `The tool choice names ${JSON.stringify(toolChoice.name)}, which is not among ${names}.`,
  );
}

/**
 * Splits calls into what they have in common, which is written once, and the rest. In common are the beginning, what
 * follows the tool's name, and the end.
 */
function factored(calls: readonly (readonly Term[])[]) {
  const lists = calls.map(joined);
  if (lists.length < 2) return { head: [], names: lists, between: [], ends: lists.map(() => []), tail: [] };
  const head = take(lists, "head");
  const tail = take(lists, "tail");
  const names = lists.map((list) => list.splice(0, 1));
  const between = [...take(names, "tail"), ...take(lists, "head")];
  return { head, names, between, ends: lists, tail };
}

/** Removes the beginning (or end) that all lists have in common, and returns it. */
function take(lists: readonly Term[][], side: "head" | "tail"): Term[] {
  const isHead = side === "head";
  const taken: Term[] = [];
  const add = (term: Term) => (isHead ? taken.push(term) : taken.unshift(term));
  for (;;) {
    const terms = lists.map((list) => list.at(isHead ? 0 : -1));
    const [one] = terms;
    if (one === undefined) return taken;
    if (terms.every((term) => term !== undefined && isSame(term, one))) {
      add(one);
      for (const list of lists) isHead ? list.shift() : list.pop();
      continue;
    }
    const texts = terms.map((term) => (term && "text" in term ? term.text : ""));
    const length = commonLength(texts, isHead);
    if (length === 0) return taken;
    const [text = ""] = texts;
    add({ text: isHead ? text.slice(0, length) : text.slice(-length) });
    lists.forEach((list, i) => {
      const left = { text: isHead ? texts[i]!.slice(length) : texts[i]!.slice(0, -length) };
      list[isHead ? 0 : list.length - 1] = left;
    });
    return taken;
  }
}

const isSame = (a: Term, b: Term) =>
  "text" in a ? "text" in b && a.text === b.text : "rule" in a ? "rule" in b && a.rule === b.rule : "space" in b;

/** The length, in UTF-16 units, of the beginning or end that all texts have in common. */
function commonLength(texts: readonly string[], isHead: boolean): number {
  const [one = ""] = texts;
  const at = (text: string, i: number) => text.charCodeAt(isHead ? i : text.length - 1 - i);
  let length = 0;
  while (length < one.length && texts.every((text) => at(text, length) === at(one, length))) length++;
  // A surrogate pair is not split.
  const last = length > 0 ? at(one, length - 1) : 0;
  return last >= (isHead ? 0xd800 : 0xdc00) && last < (isHead ? 0xdc00 : 0xe000) ? length - 1 : length;
}

/** Joins neighbouring texts into one. */
function joined(terms: readonly Term[]): Term[] {
  const result: Term[] = [];
  for (const term of terms) {
    const last = result.at(-1);
    if ("text" in term && last && "text" in last) result[result.length - 1] = { text: last.text + term.text };
    else if (!("text" in term) || term.text !== "") result.push(term);
  }
  return result;
}

/** What is left of a call after `prefill`; undefined if the call does not begin with `prefill`. */
function rest(terms: readonly Term[], prefill: string): readonly Term[] | undefined {
  if (prefill === "") return terms;
  const [first, ...others] = terms;
  if (first === undefined || "rule" in first) return undefined;
  if ("space" in first) return rest(others, prefill.startsWith(" ") ? prefill.slice(1) : prefill);
  if (prefill.startsWith(first.text)) return rest(others, prefill.slice(first.text.length));
  return first.text.startsWith(prefill) ? [{ text: first.text.slice(prefill.length) }, ...others] : undefined;
}
