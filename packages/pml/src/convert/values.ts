import { isObject, jsonPointer, type Losses } from "@toolingua/core/adapters";
import { writableText } from "./writable-text.js";

/** The word for a value in a report, where a text is expected. */
export const wordOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "nothing" : `a value of the type ${typeof value}`;

/** Reports every field with content that is not converted. */
export function loseRest(
  object: Record<string, unknown>,
  converted: readonly string[],
  path: string,
  losses: Losses,
): void {
  const isEmpty = (value: unknown) => value === "" || (isObject(value) && Object.keys(value).length === 0);
  const rest = Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
  losses.rest(rest, converted, path);
}

/** The fields with texts, as XML can contain them. */
export function texts<Name extends string>(
  from: Record<string, unknown>,
  names: readonly Name[],
  path: string,
  losses: Losses,
): { [N in Name]?: string } {
  const found: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = from[name];
    if (typeof value === "string") found[name] = writableText(value, jsonPointer(path, name), losses);
  }
  return found;
}
