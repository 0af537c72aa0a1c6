import type { Body, Part, Syntax } from "../protocol.js";
import type { ToolChoice, ToolDefinition } from "../types.js";
import { GrammarError } from "./errors.js";
import { JsonRules, type JsonStyle } from "./json-rules.js";
import { literal, Rules, repeat, sequence } from "./rules.js";
import { type GrammarGap, SchemaRules } from "./schema-rules.js";

export interface ToolCallGrammarOptions extends Pick<JsonStyle, "maxStringLength" | "maxDepth"> {
  tools: readonly ToolDefinition[];
  /** The wire format: a protocol, or anything else with a syntax. */
  protocol: { name?: string; syntax: Syntax };
  /** `required`: any of the tools; `{ name }`: that one. */
  toolChoice: ToolChoice;
  /** Whether several calls may come. Default: what the syntax says. */
  parallel?: boolean | undefined;
  /** The most calls in one reply. Default 8. */
  maxCalls?: number | undefined;
  /** Text that comes before the first call, such as an empty reasoning block. */
  prefix?: string | undefined;
  /** What the reply already begins with; the grammar goes on from there. */
  prefill?: string | undefined;
}

export interface ToolCallGrammar {
  /** In llama.cpp's GBNF; the start rule is `root`. */
  grammar: string;
  /** What the grammar does not enforce, by tool and JSON pointer into its parameters. */
  unenforced: (GrammarGap & { tool: string })[];
  /** Where the grammar admits less than the parameters. */
  narrowed: (GrammarGap & { tool: string })[];
}

/**
 * A grammar that admits only calls of these tools in this wire format: the markers to the letter, each tool's name with
 * its own arguments. All that `renderCalls` writes is admitted (with arguments in the order of the schema), and all that
 * is admitted parses to a call.
 *
 * Errors: {@link GrammarError} `unsupported` for tool choice `auto` and `none` and for bodies other than JSON, `no-tools`,
 * `unknown-tool`, `unsatisfiable`, `bad-prefill`.
 *
 * @example toolCallGrammar({ tools, protocol: protocols.hermes, toolChoice: "required" }).grammar;
 */
export function toolCallGrammar(options: ToolCallGrammarOptions): ToolCallGrammar {
  const { syntax } = options.protocol;
  const tools = chosen(options.tools, options.toolChoice);
  const rules = new Rules();
  const unenforced: ToolCallGrammar["unenforced"] = [];
  const narrowed: ToolCallGrammar["narrowed"] = [];

  const [lead, ...parts] = typeof syntax.call[0] === "string" ? syntax.call : ["", ...syntax.call];
  const bodies = tools.map((tool) => {
    const args = (style: JsonStyle) => {
      const compiler = new SchemaRules(tool.parameters ?? { type: "object" }, rules, { ...options, ...style });
      const expression = compiler.compile(`${tool.name}-arguments`, "object");
      if (expression === undefined) {
        throw new GrammarError(
          "unsatisfiable",
          `No arguments fit the parameters of tool ${JSON.stringify(tool.name)}.`,
        );
      }
      unenforced.push(...compiler.unenforced.map((gap) => ({ tool: tool.name, ...gap })));
      narrowed.push(...compiler.narrowed.map((gap) => ({ tool: tool.name, ...gap })));
      return expression;
    };
    return rules.add(`${tool.name}-call`, sequence(...parts.map((part) => partRule(part, tool.name, rules, args))));
  });

  const body = rules.add("call", bodies.join(" | "));
  const several = (options.parallel ?? syntax.parallel) && syntax.parallel;
  const more = sequence('"\\n"?', literal(lead as string), body);
  const rest = repeat(more, 0, several ? (options.maxCalls ?? 8) - 1 : 0);
  const start = begin((options.prefix ?? "") + lead, options.prefill ?? "");
  return { grammar: rules.print(sequence(start === "" ? "" : literal(start), body, rest)), unenforced, narrowed };
}

function chosen(tools: readonly ToolDefinition[], choice: ToolChoice): readonly ToolDefinition[] {
  if (choice === "auto" || choice === "none") {
    const why =
      choice === "auto" ? "free text before a call cannot be constrained yet" : "there is nothing to constrain";
    throw new GrammarError("unsupported", `No grammar for tool choice ${choice}: ${why}. Use "required" or { name }.`);
  }
  if (tools.length === 0) throw new GrammarError("no-tools", "A call must come, but there are no tools.");
  if (choice === "required") return tools;
  const tool = tools.find(({ name }) => name === choice.name);
  if (tool) return [tool];
  const names = tools.map(({ name }) => JSON.stringify(name)).join(", ");
  throw new GrammarError(
    "unknown-tool",
    `The tool choice names ${JSON.stringify(choice.name)}, which is not among ${names}.`,
  );
}

/** What is still to come of the fixed text that a reply begins with. */
function begin(fixed: string, prefill: string): string {
  if (fixed.startsWith(prefill)) return fixed.slice(prefill.length);
  const message = `The prefill ${JSON.stringify(prefill)} is not how a call begins; that is ${JSON.stringify(fixed)}.`;
  throw new GrammarError("bad-prefill", message);
}

function partRule(part: Part, name: string, rules: Rules, args: (style: JsonStyle) => string): string {
  if (typeof part === "string") return literal(part);
  if (!("slot" in part)) return bodyRule(part, name, rules, args);
  // A name with markup in it is written with entities, which depends on where it stands.
  if (part.slot === "name" && !/[<>&"']/.test(name)) return literal(name);
  throw new GrammarError("unsupported", `No grammar yet for a ${part.slot} slot with ${JSON.stringify(name)}.`);
}

function bodyRule(body: Body, name: string, rules: Rules, args: (style: JsonStyle) => string): string {
  if (body.body === "json") return args({ escape: body.escape });
  if (body.body === "json-call") {
    const json = new JsonRules(rules, {});
    const named = sequence(json.key(body.name), json.constant(name), json.comma);
    return sequence('"{"', named, json.key(body.arguments), args({}), '"}"');
  }
  throw new GrammarError("unsupported", `No grammar yet for ${body.body} bodies.`);
}
