import { ToolDefinitionError } from "@toolingua/core";
import { didYouMean } from "@toolingua/core/adapters";
import { FunctionTool, type ToolFunction } from "./function-tool.js";
import { decoratedMethods } from "./methods.js";
import { describedBy, type ToolMetadata } from "./options.js";
import type { Schema } from "./schema.js";

/**
 * The name of a method that is a tool. A pair is LlamaIndex's (sync, async): the tool is named after the first, and the
 * second runs.
 */
export type SpecFunction = string | readonly [sync: string, async: string];

/**
 * A group of tools as the methods of a class, after Python LlamaIndex's `BaseToolSpec`. The tools are the methods in
 * `specFunctions`; without it, those decorated with `@tool()`. TypeScript's types do not exist at run time, so
 * `@tool()`, the class's `schemas` or `toToolList` describe the arguments of a method.
 *
 * @example
 * class Notes extends ToolSpec {
 *   static override schemas = { add: z.object({ text: z.string() }).describe("Adds a note") };
 *   override specFunctions = ["add", "list"];
 *   private notes: string[] = [];
 *   add({ text }: { text: string }) { this.notes.push(text); }
 *   list() { return this.notes; }
 * }
 * new Notes().toToolList(["add"]); // [add]
 */
export abstract class ToolSpec {
  /** The schema of each method's arguments, by the method's name. Its description is the tool's. */
  static schemas: Record<string, Schema> = {};

  specFunctions?: readonly SpecFunction[] | undefined;

  /** The schema of a method without a schema in `@tool()`. */
  getSchema(name: string): Schema | undefined {
    for (let type: unknown = this.constructor; typeof type === "function"; type = Object.getPrototypeOf(type)) {
      const { schemas } = type as typeof ToolSpec;
      if (schemas && Object.hasOwn(schemas, name)) return schemas[name];
    }
    return undefined;
  }

  /** The metadata of a method: from `@tool()`, else from its schema, else only its name. */
  getMetadata(name: string): ToolMetadata {
    const decorated = decoratedMethods(this).get(name);
    if (decorated) return decorated;
    const schema = this.getSchema(name);
    return { description: describedBy(schema) ?? name, schema };
  }

  /**
   * The tools, in the order of the list and bound to this object. Each call creates new tools, with counters at zero.
   *
   * `metadataByFunction` replaces all metadata of a method, including its name for the model. A pair is looked up by
   * its first name, then by its second.
   *
   * Errors: `ToolDefinitionError`: `not-a-method`, `bad-spec-functions`, `duplicate-name`, `unknown-function` for
   * metadata of a function that is not in the list, and those of `tool()`.
   */
  toToolList(
    specFunctions?: readonly SpecFunction[] | null | undefined,
    metadataByFunction: Readonly<Record<string, ToolMetadata>> = {},
  ): FunctionTool[] {
    return listTools(this, specFunctions ?? this.specFunctions, metadataByFunction, (name) => this.getMetadata(name));
  }
}

/**
 * The decorated methods of any object as tools, bound to it: for a class that cannot extend `ToolSpec`.
 *
 * Errors: those of `toToolList`; `bad-spec-functions` for an object without decorated methods.
 *
 * @example toolsOf(new Weather()).map(({ name }) => name); // ["forecast"]
 */
export function toolsOf(instance: object): FunctionTool[] {
  const decorated = decoratedMethods(instance);
  return listTools(instance, undefined, {}, (name) => decorated.get(name)!);
}

function listTools(
  instance: object,
  specFunctions: readonly SpecFunction[] | undefined,
  overrides: Readonly<Record<string, ToolMetadata>>,
  metadataOf: (name: string) => ToolMetadata,
): FunctionTool[] {
  const functions = specFunctions ?? [...decoratedMethods(instance).keys()];
  if (!Array.isArray(functions) || (specFunctions === undefined && functions.length === 0)) {
    throw badFunctions(instance, "names no tools: set specFunctions or decorate methods with @tool()");
  }
  checkOverrides(overrides, functions);
  const names = new Set<string>();
  return functions.map((entry: SpecFunction) => {
    const [first, second] = typeof entry === "string" ? [entry, entry] : Array.isArray(entry) ? entry : [];
    if (typeof first !== "string" || typeof second !== "string") {
      throw badFunctions(instance, "specFunctions must contain names of methods and pairs of them");
    }
    const override = [first, second].find((name) => Object.hasOwn(overrides, name));
    const metadata = override === undefined ? metadataOf(first) : overrides[override]!;
    boundMethod(instance, first);
    const tool = new FunctionTool(metadata.name ?? first, metadata, boundMethod(instance, second), instance);
    if (names.has(tool.name)) {
      throw new ToolDefinitionError("duplicate-name", tool.name, `Two tools of one object are named "${tool.name}".`);
    }
    names.add(tool.name);
    return tool;
  });
}

/** Metadata for a function that is not in the list would otherwise be ignored silently. */
function checkOverrides(overrides: object, functions: readonly SpecFunction[]): void {
  const known = functions.flat();
  const unknown = Object.keys(overrides).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `There is metadata for "${unknown}", which is not a function of the list. ${didYouMean(unknown, known)}`;
  throw new ToolDefinitionError("unknown-function", unknown, message);
}

function boundMethod(instance: object, name: string): ToolFunction<Schema> {
  const method: unknown = (instance as Record<string, unknown>)[name];
  if (typeof method !== "function" || name === "constructor") {
    throw new ToolDefinitionError("not-a-method", name, `${className(instance)} has no method "${name}".`);
  }
  return method.bind(instance) as ToolFunction<Schema>;
}

const badFunctions = (instance: object, why: string) =>
  new ToolDefinitionError("bad-spec-functions", className(instance), `${className(instance)}: ${why}.`);

const className = (instance: object) => (instance as object | null)?.constructor?.name || "The object";
