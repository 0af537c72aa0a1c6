/** What errors of the packages say of their own options, and what the command line has instead. */
const INSTEAD: readonly (readonly [said: RegExp, shown: string])[] = [
  [/set `baseURL`/g, "add `servers` to the document"],
  [/load the engine with a larger contextSize/g, "give a larger --context"],
  [/a smaller contextSize/g, "a smaller --context"],
  [/a `command`, a `url` or a `transport`/g, "a `command` or a `url`"],
  [/No `apiKey` was given/g, "No key was given: it is set with --upstream-api-key"],
  [/`timeout` sets the limit/g, "--mcp-timeout sets the limit"],
  [/give a format \([^()]*\) or the model's own template/g, "give the model's own template with --template"],
];

/**
 * The message of an error, with flags in place of a package's options.
 *
 * @example inFlags("There is no room for the context. Try a smaller contextSize."); // … Try a smaller --context.
 */
export const inFlags = (message: string): string =>
  INSTEAD.reduce((text, [said, shown]) => text.replace(said, shown), message);
