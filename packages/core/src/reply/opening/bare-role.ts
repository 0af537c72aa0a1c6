import type { Lookahead } from "../../notation/lookahead.js";
import { roles } from "../../syntax/turn-tokens.js";

/** Roles that hardly any text begins a paragraph with. */
const SPEAKERS = roles.filter((role) => role !== "system" && role !== "environment");

/**
 * The role that is alone on the rest of a line: what is left directly after a call of the header of another turn, where a
 * server drops its tokens.
 *
 * @example
 * // {"name": "now", "parameters": {}}assistant
 * //
 * // It is noon.
 */
export const bareRoleAt = (look: Lookahead, at: number): string | undefined =>
  look.find(SPEAKERS, (role) => look.has(role, at) && /^[\r\n]?$/.test(look.charAt(at + role.length)));
