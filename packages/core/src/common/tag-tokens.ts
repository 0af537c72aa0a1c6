/**
 * The token that MiniMax M3 writes before every tag of a call. Without it, its calls are those of `minimax-m2` with an element for
 * each argument. Source: the chat template of MiniMaxAI/MiniMax-M3.
 */
const TAG_TOKEN = "]<]minimax[>[";

/**
 * A text without the tokens before tags.
 *
 * @example withoutTagTokens(']<]minimax[>[<invoke name="now">'); // '<invoke name="now">'
 */
export const withoutTagTokens = (text: string): string => text.replaceAll(TAG_TOKEN, "");

/** Removes the tokens before tags from a reply that comes in pieces. */
export class TagTokens {
  /** The end of the text so far, which may be the beginning of a token. */
  private held = "";

  /** What may be read of the text so far. */
  pass(chunk: string): string {
    const text = this.held + chunk;
    const last = text.lastIndexOf(TAG_TOKEN);
    const from = last < 0 ? 0 : last + TAG_TOKEN.length;
    const end = beginningOf(text, from);
    this.held = text.slice(end);
    return last < 0 ? text.slice(0, end) : withoutTagTokens(text.slice(0, end));
  }

  /** The end of a reply that is no token. */
  rest(): string {
    const { held } = this;
    this.held = "";
    return held;
  }
}

/** Where the beginning of a token is that a text ends with, from an index on; its length if there is none. */
function beginningOf(text: string, from: number): number {
  for (let at = Math.max(from, text.length - TAG_TOKEN.length + 1); at < text.length; at++)
    if (TAG_TOKEN.startsWith(text.slice(at))) return at;
  return text.length;
}
