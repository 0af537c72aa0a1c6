import { isObject } from "../../common/plain-object.js";
import type { JsonCallBody } from "../../syntax/syntax.js";
import { ARGUMENT_KEYS, ASIDE_KEYS, NAME_KEYS } from "../arguments/call-keys.js";

/**
 * The name and, after it, the arguments of an object that has nothing else which matters. `renamed`: the first of them that
 * has a key of another format.
 */
export function partsOf(
  object: object,
  body: JsonCallBody,
  isTool: (name: string) => boolean,
): { name: string; args: object; renamed: "name" | "arguments" | undefined } | undefined {
  let name: string | undefined;
  let args: object | undefined;
  let renamed: "name" | "arguments" | undefined;
  for (const key of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[key];
    if (name === undefined && typeof value === "string" && namesTool(key, body)) {
      name = value.trim();
      if (key !== body.name) renamed = "name";
    } else if (name !== undefined && !args && isObject(value) && holdsArguments(key, body)) {
      args = value;
      if (key !== body.arguments) renamed ??= "arguments";
    } else if (typeof value === "object" || !ASIDE_KEYS.has(key) || isTool(key)) return undefined;
  }
  return name !== undefined && args ? { name, args, renamed } : undefined;
}

const namesTool = (key: string, body: JsonCallBody): boolean =>
  key === body.name || (key !== body.arguments && NAME_KEYS.has(key));

const holdsArguments = (key: string, body: JsonCallBody): boolean =>
  key === body.arguments || (key !== body.name && ARGUMENT_KEYS.has(key));
