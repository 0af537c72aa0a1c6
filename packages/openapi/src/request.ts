import { isObject } from "@toolingua/core/adapters";
import { contentText, formText, writtenBody } from "./body.js";
import { OpenApiCallError } from "./errors.js";
import type { Fields } from "./fields.js";
import type { ApiFiles } from "./files.js";
import { TEMPLATE_EXPRESSIONS } from "./notation.js";
import type { Operation } from "./operation.js";
import type { RequestBody } from "./operation-body.js";
import type { Parameter } from "./operation-parameters.js";
import { cookiePairs, headerText, pathText, queryPairs } from "./serialize.js";

/** Maps arguments to parameters and to the body. */
export interface Binding {
  operation: Operation;
  /** By argument name. */
  parameters: ReadonlyMap<string, Parameter>;
  body: { argument: string; described: RequestBody } | undefined;
}

/** A request to send. */
export interface ApiRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** Bytes for files and for multipart forms. */
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Builds the request of a call. The arguments were already checked against their schema.
 *
 * Errors: `OpenApiCallError` (`invalid-arguments`) for a value that would change the path, or that a header cannot
 * carry.
 */
export async function requestOf(
  binding: Binding,
  args: Record<string, unknown>,
  files: ApiFiles | undefined,
): Promise<ApiRequest> {
  const { operation, parameters, body } = binding;
  const query: string[] = [];
  const cookies: string[] = [];
  const headers = new Headers({ accept: "application/json, text/*;q=0.9, */*;q=0.5" });
  const pathValues: PathValues = new Map();
  for (const [argument, parameter] of parameters) {
    if (!Object.hasOwn(args, argument)) continue;
    const { mediaType } = parameter;
    if (parameter.in === "querystring") {
      query.push(wholeQuery(args[argument], mediaType));
      continue;
    }
    const value = mediaType === undefined ? args[argument] : contentText(args[argument], mediaType);
    if (parameter.in === "path") pathValues.set(parameter.name, { argument, text: pathText(value, parameter) });
    else if (parameter.in === "query") query.push(...queryPairs(value, parameter));
    else if (parameter.in === "cookie") cookies.push(...cookiePairs(value, parameter));
    else setHeader(headers, parameter.name, headerText(value, parameter), argument);
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  const url = urlOf(operation, pathValues, query);
  if (body === undefined || !Object.hasOwn(args, body.argument)) {
    return { method: operation.method, url, headers, body: undefined };
  }
  const { content, contentType } = await writtenBody(args[body.argument], body.described, operation, files);
  setHeader(headers, "content-type", contentType, body.argument);
  return { method: operation.method, url, headers, body: content };
}

/** A query that is a single value (`in: querystring`): a form, or text in its media type. */
const wholeQuery = (value: unknown, mediaType = "") =>
  isObject(value) && /x-www-form-urlencoded/i.test(mediaType)
    ? formText(value as Fields, {})
    : encodeURIComponent(contentText(value, mediaType));

/**
 * The encoded values of the path's parameters, by parameter name. `argument`: the argument of the call that gives the value.
 */
type PathValues = Map<string, { argument: string; text: string }>;

function urlOf({ server, path }: Operation, values: PathValues, query: readonly string[]): URL {
  const filled = path.replace(TEMPLATE_EXPRESSIONS, (_, name: string) => {
    const { argument = name, text = "" } = values.get(name) ?? {};
    if (text === "")
      throw new OpenApiCallError(
        "invalid-arguments",
        `The argument "${argument}" is part of the path and must not be empty.`,
      );
    return text;
  });
  // URLs resolve these segments, `%2e` too: they would lead to a different path. They read a backslash as a slash, and
  // ignore line breaks, tabs, and spaces at the end. A server behind a proxy may decode what is encoded, once or twice, before
  // it does the same; some ignore what follows a semicolon.
  const [read = ""] = filled
    .replace(/[\t\r\n]+|%(?:25)*(?:[01][\da-f]|20)/gi, "")
    .replace(/%(?:25)*(2e|2f|5c|3b)/gi, (_, code: string) => decodeURIComponent(`%${code}`))
    .trimEnd()
    .split(/[?#]/, 1);
  if (read.split(/[/\\]/).some((segment) => /^\.{1,2}(?:;|$)/.test(segment))) {
    const message = `An argument in the path ${path} makes a segment of it "." or "..", which leads to another path.`;
    throw new OpenApiCallError("invalid-arguments", message);
  }
  const base = new URL(server);
  const url = new URL(base.origin + base.pathname.replace(/\/+$/, "") + filled);
  const pairs = [base.search.slice(1), url.search.slice(1), ...query].filter(Boolean);
  if (pairs.length > 0) url.search = pairs.join("&");
  return url;
}

function setHeader(headers: Headers, name: string, text: string, argument: string): void {
  try {
    headers.set(name, text);
  } catch (cause) {
    const message = `The argument "${argument}" is not valid in the header "${name}": ${JSON.stringify(text)}`;
    throw new OpenApiCallError("invalid-arguments", message, { cause });
  }
}
