import { isObject } from "@toolingua/core/adapters";
import { ProviderFormatError } from "@toolingua/core/providers";

// A type that the provider formats do not know is that of a tool which a provider runs. It is ignored, so a tool of the
// client that has such a type, or none, would be lost without a word.

/** Refuses tools of Chat Completions that have no type, or a function with another type. Errors: `ProviderFormatError`. */
export function refuseChatTools(tools: unknown): void {
  for (const [i, tool] of objectsIn(tools)) {
    const { type } = tool;
    if (typeof type === "string" && (type === "function" || !isObject(tool.function))) continue;
    throw new ProviderFormatError(`/tools/${i}/type`, '"function": { type: "function", function: { name, … } }', type);
  }
}

/** Refuses tools of Responses that have no type, also those in a namespace. Errors: `ProviderFormatError`. */
export function refuseResponsesTools(tools: unknown, path = "/tools"): void {
  for (const [i, { type, tools: inside }] of objectsIn(tools)) {
    if (typeof type !== "string")
      throw new ProviderFormatError(`${path}/${i}/type`, '"function": { type: "function", name, … }', type);
    if (type === "namespace") refuseResponsesTools(inside, `${path}/${i}/tools`);
  }
}

/** Refuses tools of Messages in OpenAI's shape, and those with a schema and a wrong type. Errors: `ProviderFormatError`. */
export function refuseMessagesTools(tools: unknown): void {
  const shape = "{ name, description, input_schema }";
  for (const [i, { type, input_schema: schema, ...tool }] of objectsIn(tools)) {
    const isOwn = type == null || type === "custom";
    const isMisshapen = typeof type !== "string" || type === "function" || schema != null || isObject(tool.function);
    if (!isOwn && isMisshapen)
      throw new ProviderFormatError(`/tools/${i}/type`, `"custom", or no type: ${shape}`, type);
    if (isOwn && schema == null && isObject(tool.parameters))
      throw new ProviderFormatError(`/tools/${i}/input_schema`, `a JSON Schema: ${shape}`, schema);
  }
}

/** The tools that are objects, with their places; the provider formats refuse the others. */
const objectsIn = (tools: unknown): [number, Record<string, unknown>][] =>
  Array.isArray(tools) ? tools.flatMap((tool, i) => (isObject(tool) ? [[i, tool] as [number, typeof tool]] : [])) : [];
