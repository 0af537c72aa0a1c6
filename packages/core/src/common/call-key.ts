import { canonicalJson } from "./canonical-json.js";

/**
 * A text that calls share exactly if they call the same tool with equal arguments.
 *
 * @example callKey({ name: "add", arguments: { b: 1, a: 2 } }); // 'add\n{"a":2,"b":1}'
 */
export const callKey = ({ name, arguments: args }: { name: string; arguments: unknown }): string =>
  `${name}\n${canonicalJson(args)}`;
