import { CliError } from "../terminal/errors.js";

/**
 * The key for a server that a flag or an environment variable gives. It is checked when it is called, which only what sends it
 * does: a variable stays set for commands that need no key.
 *
 * Errors: `CliError` `usage` if HTTP cannot carry it.
 */
export type GivenKey = () => string;

/**
 * A key, and the flag or variable that it is `from`. The error does not show the key.
 *
 * @example givenKey("sk-1", "--api-key")(); // "sk-1"
 */
export const givenKey =
  (key: string, from: string): GivenKey =>
  () => {
    if (/^[\x21-\x7e]+$/.test(key)) return key;
    const right = "printable ASCII characters, without spaces";
    throw new CliError("usage", `${from} is not a key that HTTP can carry: ${right}.`);
  };
