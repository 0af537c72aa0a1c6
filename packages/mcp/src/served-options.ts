import { OptionsError } from "@toolingua/core";
import {
  aFunction,
  aString,
  checkOptionNames,
  checkOptionValues,
  type OptionRule,
  type OptionRules,
} from "@toolingua/core/adapters";
import type { ServedPrompt } from "./served-prompts.js";
import type { ServedResource } from "./served-resources.js";

/** The description of a server. */
export interface McpServerInfo {
  name: string;
  version: string;
  /** Instructions for a model on using the tools. */
  instructions?: string | undefined;
  /** Resources that clients may read. */
  resources?: readonly ServedResource[] | undefined;
  /** Prompts that users may start with. */
  prompts?: readonly ServedPrompt[] | undefined;
}

/** Options for serving tools over HTTP. */
export interface McpHandlerOptions {
  /**
   * The host names of the server, without ports. Requests with others get 403, so that a web page cannot reach a local
   * server through a name of its own (DNS rebinding). Default: `localhost`, `127.0.0.1` and `[::1]`.
   */
  allowedHosts?: readonly string[] | undefined;
  /** The most open sessions. A new one replaces the one that was idle for longest. Default: 1000. */
  maxSessions?: number | undefined;
}

const aText: OptionRule = { takes: (value) => typeof value === "string" && value !== "", words: "a string" };
const aList: OptionRule = { takes: Array.isArray, words: "a list" };
const isAbsentOr = (type: string) => (value: unknown) => value === undefined || typeof value === type;

const infoRules: OptionRules<McpServerInfo> = {
  name: aText,
  version: aText,
  instructions: aString,
  resources: aList,
  prompts: aList,
};

const resourceRules: Record<string, OptionRule> = {
  name: aText,
  title: aText,
  description: aText,
  mimeType: aText,
  uri: aText,
  uriTemplate: aText,
  read: aFunction,
  list: { takes: isAbsentOr("function"), words: "a function" },
  complete: { takes: isAbsentOr("object"), words: "an object with a function for each variable" },
};

const promptRules: Record<string, OptionRule> = {
  name: aText,
  title: aText,
  description: aText,
  arguments: aList,
  render: aFunction,
};

/** Checks the description of a server. Errors: `OptionsError` (`bad-option`). */
export function checkServerInfo(info: McpServerInfo): void {
  const where = "what the server says of itself";
  checkOptionNames(infoRules, info, where);
  checkOptionValues(infoRules, info);
  for (const key of ["name", "version"] as const) {
    if (info[key] === undefined) throw new OptionsError("bad-option", `\`${key}\` is missing in ${where}.`);
  }
  checkEach(info.resources ?? [], resourceRules, "resource", "read");
  checkEach(info.prompts ?? [], promptRules, "prompt", "render");
  for (const resource of info.resources ?? []) {
    if ("uri" in resource !== "uriTemplate" in resource) continue;
    const message = `The resource "${resource.name}" needs a \`uri\`, or a \`uriTemplate\`.`;
    throw new OptionsError("bad-option", message);
  }
}

function checkEach(
  list: readonly object[],
  rules: Readonly<Record<string, OptionRule>>,
  what: string,
  work: string,
): void {
  list.forEach((one, i) => {
    const { name } = Object(one) as { name?: unknown };
    const where = `the ${what} ${typeof name === "string" ? JSON.stringify(name) : `#${i}`}`;
    checkOptionNames(rules, one, where);
    checkOptionValues(rules, one, `${what}s[${i}].`);
    for (const key of ["name", work]) {
      if ((one as Record<string, unknown>)[key] === undefined) {
        throw new OptionsError("bad-option", `\`${key}\` is missing in ${where}.`);
      }
    }
  });
}

const handlerRules: OptionRules<McpHandlerOptions> = {
  allowedHosts: aList,
  maxSessions: { takes: (value) => Number.isInteger(value) && (value as number) > 0, words: "a whole number from 1" },
};

/** Errors: `OptionsError` (`bad-option`). */
export function checkHandlerOptions(options: McpHandlerOptions): void {
  checkOptionNames(handlerRules, options, "the options of createMcpHandler");
  checkOptionValues(handlerRules, options);
}
