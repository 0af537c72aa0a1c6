import { OptionsError } from "@toolingua/core";
import {
  aFunction,
  aString,
  checkOptionNames,
  checkOptionValues,
  type OptionRule,
  type OptionRules,
} from "@toolingua/core/adapters";
import type { McpHandlerOptions } from "./serve.js";
import type { McpServerInfo } from "./server.js";

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
