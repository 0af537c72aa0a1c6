import { UriTemplate } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import { OptionsError } from "@toolingua/core";
import {
  aBoolean,
  aFunction,
  aString,
  checkOptionNames,
  checkOptions,
  checkOptionValues,
  isObject,
  messageOf,
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
  complete: {
    takes: (value) => isObject(value) && Object.values(value).every((one) => typeof one === "function"),
    words: "an object with a function for each variable",
  },
};

const promptRules: Record<string, OptionRule> = {
  name: aText,
  title: aText,
  description: aText,
  arguments: aList,
  render: aFunction,
};

const argumentRules: Record<string, OptionRule> = {
  name: aText,
  description: aText,
  required: aBoolean,
  complete: aFunction,
};

/** Checks the description of a server. Errors: `OptionsError` (`bad-option`). */
export function checkServerInfo(info: McpServerInfo): void {
  checkOptions(infoRules, info, "what the server says of itself", ["name", "version"]);
  const { resources = [], prompts = [] } = info;
  checkEach(resources, resourceRules, "resource", ["name", "read"]);
  checkEach(prompts, promptRules, "prompt", ["name", "render"]);
  for (const { name: prompt, arguments: args = [] } of prompts) {
    checkEach(args, argumentRules, `argument of the prompt ${JSON.stringify(prompt)}:`, ["name"]);
  }
  for (const resource of resources) {
    if ("uri" in resource === "uriTemplate" in resource) {
      const message = `The resource "${resource.name}" needs a \`uri\`, or a \`uriTemplate\`.`;
      throw new OptionsError("bad-option", message);
    }
    if ("uriTemplate" in resource) checkTemplate(resource.name, resource.uriTemplate);
  }
  checkTwice(
    "prompts",
    prompts.map(({ name }) => name),
  );
  checkTwice(
    "resources",
    resources.map((one) => ("uri" in one ? one.uri : one.uriTemplate)),
  );
}

function checkTemplate(name: string, template: string): void {
  try {
    new UriTemplate(template);
  } catch (cause) {
    const why = messageOf(cause);
    const message = `The \`uriTemplate\` of the resource "${name}", ${JSON.stringify(template)}, is not valid: ${why}.`;
    throw new OptionsError("bad-option", message, { cause });
  }
}

/** The second one could not be reached. */
function checkTwice(what: string, keys: readonly string[]): void {
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice !== undefined) throw new OptionsError("bad-option", `Two ${what} are called ${JSON.stringify(twice)}.`);
}

function checkEach(
  list: readonly object[],
  rules: Readonly<Record<string, OptionRule>>,
  what: string,
  needed: readonly string[],
): void {
  list.forEach((one, i) => {
    const { name } = Object(one) as { name?: unknown };
    const where = `the ${what} ${typeof name === "string" ? JSON.stringify(name) : `#${i}`}`;
    checkOptionNames(rules, one, where);
    checkOptionValues(rules, one, `${what}s[${i}].`);
    for (const key of needed) {
      if ((one as Record<string, unknown>)[key] === undefined) {
        throw new OptionsError("bad-option", `\`${key}\` is missing in ${where}.`);
      }
    }
  });
}

/** Whether it is compared with hosts as they are in a URL: `[::1]`, `mcp.example.com`. */
const isHost = (value: unknown) =>
  typeof value === "string" && URL.canParse(`http://${value}`) && new URL(`http://${value}`).hostname === value;

const handlerRules: OptionRules<McpHandlerOptions> = {
  allowedHosts: {
    takes: (value) => Array.isArray(value) && value.every(isHost),
    words: 'a list of host names in lower case, without ports, such as ["mcp.example.com"]',
  },
  maxSessions: { takes: (value) => Number.isInteger(value) && (value as number) > 0, words: "a whole number from 1" },
};

/** Errors: `OptionsError` (`bad-option`). */
export function checkHandlerOptions(options: McpHandlerOptions): void {
  checkOptions(handlerRules, options, "the options of createMcpHandler");
}
