import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { Span } from "../../syntax/syntax.js";
import { roles, turnEndTokens, turnsAfterCalls } from "../../syntax/turn-tokens.js";
import type { Opening } from "../forms/opening.js";
import { turnEnd } from "../forms/turn-end.js";

/** Roles that hardly any text begins a paragraph with. */
const SPEAKERS = roles.filter((role) => role !== "system" && role !== "environment");

/** The user's label, with which a model goes on in a transcript. */
const SPOKEN = growingPattern(["User", "USER", "Human"].map((role) => ["\\**", ...role, ":"]));

/**
 * The role that is alone on the rest of a line: what is left directly after a call of the header of another turn, where a
 * server drops its tokens; or the user's label, or a token with another party's role.
 *
 * @example
 * // {"name": "now", "parameters": {}}assistant
 * //
 * // It is noon.
 */
export const bareRoleAt = (look: Lookahead, at: number): string | undefined =>
  roleTokenAt(look, at) ??
  matchAt(look, at, SPOKEN)?.[0] ??
  look.find(SPEAKERS, (role) => look.has(role, at) && /^[\r\n]?$/.test(look.charAt(at + role.length)));

/**
 * The label of a turn in plain text, perhaps on a line with the token with which a text begins. The model's own is in a group.
 */
const LABEL =
  /^(?:(?:<s>|\[Round \d+\]|[#*]+)[^\S\n]*)?(?:user|human|question|instruction|system|developer|tool|observation|用户|问|пользователь|(assistant|model))[^\S\n]*(?:[:：*\n]|$)/i;
const LONGEST = 40;

/** A special token whose name ends with another party's role, or that of a result. */
const ROLE_TOKEN = {
  whole:
    /^[<[][|｜](?:[\w▁:]*[_▁:])?(?:user|human|system|developer|observation|environment|tool(?:[_▁](?:response|result|output)s?)?(?=[|｜:]))(?:[_▁](?:start|begin|token))?(?::\w*)?[|｜][>\]]/i,
  part: /^[<[][^>\]]*$/,
};

/** The token with another party's role at an index. */
const roleTokenAt = (look: Lookahead, at: number): string | undefined => matchAt(look, at, ROLE_TOKEN, LONGEST)?.[0];

/** A turn that begins with such a label. */
export const labelledTurn: Span = { open: "", as: "dropped" };

/** Whether a token at an index begins another's turn where a turn has ended. */
export const turnBegins = (look: Lookahead, at: number): boolean =>
  look.find(turnsAfterCalls, ({ open }) => look.has(open, at)) !== undefined || roleTokenAt(look, at) !== undefined;

/**
 * Where the tokens end that end a turn, if another begins there with its label or token. `begun`: the answer or a call was
 * before, so that the model's own turn is a further one.
 */
export function nextTurnAt(
  look: Lookahead,
  found: Opening | undefined,
  at: number,
  begun: boolean,
): number | undefined {
  if (!found || !turnEndTokens.includes(found.marker)) return undefined;
  const isTurn = (next: number) => next > at && turnBegins(look, next);
  const end = turnEnd(look, at, isTurn);
  if (end === undefined || isTurn(end)) return end;
  const text = look.text.slice(end, end + LONGEST);
  if (text.length < LONGEST && /^(?:<s?>?|[#*])*[^\n:：*.,<]*$/.test(text)) look.atEnd();
  const label = LABEL.exec(text);
  return label && (begun || label[1] === undefined) ? end : undefined;
}
