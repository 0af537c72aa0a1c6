import { jsonPointer, type Losses } from "@toolingua/core/providers";
import { heldText } from "./held-text.js";

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields among these that are strings, with the characters that XML can contain. */
export function texts<Name extends string>(
  from: Record<string, unknown>,
  names: readonly Name[],
  path: string,
  losses: Losses,
): { [N in Name]?: string } {
  const found: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = from[name];
    if (typeof value === "string") found[name] = heldText(value, jsonPointer(path, name), losses);
  }
  return found;
}
