import { existsSync } from "node:fs";

/** The default configuration file, used if the command line does not say what to serve. */
export const USUAL_FILE = "toolingua.yaml";

/** What says which configuration is meant. */
interface Said {
  config?: string;
  upstream?: string;
  embedded?: string | true;
}

/**
 * The configuration file: the given one, or the default one if the command line does not say what to serve.
 *
 * @example configFile({}); // "toolingua.yaml", if there is one
 */
export function configFile({ config, upstream, embedded }: Said): string | undefined {
  if (config !== undefined || upstream !== undefined || embedded !== undefined) return config;
  return existsSync(USUAL_FILE) ? USUAL_FILE : undefined;
}
