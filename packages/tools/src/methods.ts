import { ToolDefinitionError } from "@toolingua/core";
import type { ToolMetadata } from "./options.js";

/**
 * The decorated methods: by instance for standard decorators, which cannot see the class's prototype; by prototype for
 * legacy ones, and collected up the chain.
 */
const recorded = new WeakMap<object, Map<string, ToolMetadata>>();

/** Records a method for both forms of decorators. The standard form is recognised by its context. */
export function recordMethod(metadata: ToolMetadata, target: unknown, keyOrContext: unknown, descriptor: unknown) {
  const context = typeof keyOrContext === "object" ? (keyOrContext as ClassMethodDecoratorContext | null) : null;
  const key = context ? context.name : keyOrContext;
  const method = context ? target : (descriptor as PropertyDescriptor | undefined)?.value;
  if (typeof key !== "string" || typeof method !== "function" || context?.private || key === "constructor") {
    const what = typeof key === "symbol" ? key.toString() : String(key);
    throw new ToolDefinitionError(
      "not-a-method",
      what,
      `@tool() can mark only public methods with a name; ${what} is not one.`,
    );
  }
  if (context) {
    context.addInitializer(function () {
      record(this as object, key, metadata);
    });
  } else record(target as object, key, metadata);
}

function record(owner: object, key: string, metadata: ToolMetadata): void {
  const methods = recorded.get(owner) ?? new Map<string, ToolMetadata>();
  methods.set(key, metadata);
  recorded.set(owner, methods);
}

/** The decorated methods of an object by name: those of a base class first, with overrides in their place. */
export function decoratedMethods(instance: object): Map<string, ToolMetadata> {
  const chain: object[] = [];
  for (let owner: object | null = instance; owner; owner = Object.getPrototypeOf(owner)) chain.unshift(owner);
  return new Map(chain.flatMap((owner) => [...(recorded.get(owner) ?? [])]));
}

/**
 * The name of the method marked by a decorator without parentheses (`@tool m() {}`); undefined for any other arguments.
 * A standard decorator gets the method and its context, a legacy one the prototype, the name and a descriptor.
 */
export function bareDecorated(first: unknown, second: unknown): string | undefined {
  if (typeof first === "function") {
    const { kind, name } = Object(second) as { kind?: unknown; name?: unknown };
    return typeof kind === "string" ? String(name) : undefined;
  }
  const isLegacy = typeof first === "object" && first !== null && ["string", "symbol"].includes(typeof second);
  return isLegacy ? String(second) : undefined;
}
