import { OpenApiCallError } from "./errors.js";
import { isJson } from "./media-types.js";
import type { Operation, Parameter, RequestBody } from "./operation.js";
import { headerText, pathText, plain, queryPairs, type Style } from "./serialize.js";

/** The arguments by what they are: parameters, and the body. */
export interface Binding {
  operation: Operation;
  /** By the name of the argument. */
  parameters: ReadonlyMap<string, Parameter>;
  body: { argument: string; described: RequestBody } | undefined;
}

/** A request that is about to be sent. */
export interface ApiRequest {
  method: string;
  url: URL;
  headers: Headers;
  body: string | FormData | undefined;
}

/**
 * The request that a call is. Arguments have been checked by their schema.
 *
 * Errors: `OpenApiCallError` (`invalid-arguments`) for a value that would change the path, or that cannot stand in a
 * header.
 */
export function requestOf(binding: Binding, args: Record<string, unknown>): ApiRequest {
  const { operation, parameters, body } = binding;
  const query: string[] = [];
  const cookies: string[] = [];
  const headers = new Headers({ accept: "application/json, text/*;q=0.9, */*;q=0.5" });
  const inPath = new Map<string, string>();
  for (const [argument, parameter] of parameters) {
    if (!Object.hasOwn(args, argument)) continue;
    const { mediaType } = parameter;
    const value = mediaType === undefined ? args[argument] : contentText(args[argument], mediaType);
    if (parameter.in === "path") inPath.set(parameter.name, pathText(value, parameter));
    else if (parameter.in === "query") query.push(...queryPairs(value, parameter));
    else if (parameter.in === "cookie") cookies.push(...queryPairs(value, parameter));
    else setHeader(headers, parameter, headerText(value, parameter));
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  const url = urlOf(operation, inPath, query);
  const given = body && Object.hasOwn(args, body.argument);
  const content = given ? bodyContent(args[body.argument], body.described) : undefined;
  // A form in parts says itself where they are parted.
  if (given && !(content instanceof FormData)) headers.set("content-type", contentType(body.described.mediaType));
  return { method: operation.method, url, headers, body: content };
}

function urlOf({ server, path }: Operation, values: ReadonlyMap<string, string>, query: readonly string[]): URL {
  const filled = path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const text = values.get(name) ?? "";
    if (text === "")
      throw new OpenApiCallError("invalid-arguments", `The argument "${name}" stands in the path and is empty.`);
    return text;
  });
  // To a URL these are steps, `%2e` too: they would lead to another path than the one that was called.
  if (filled.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
    const message = `An argument that stands in the path ${path} makes a part of it "." or "..", which leads elsewhere.`;
    throw new OpenApiCallError("invalid-arguments", message);
  }
  const [place = "", ofServer = ""] = server.split("?", 2);
  const url = new URL(place.replace(/\/+$/, "") + filled);
  const pairs = [ofServer, url.search.slice(1), ...query].filter(Boolean);
  if (pairs.length > 0) url.search = pairs.join("&");
  return url;
}

function setHeader(headers: Headers, { name }: Parameter, text: string): void {
  try {
    headers.set(name, text);
  } catch (cause) {
    const message = `The value of "${name}" cannot stand in a header: ${JSON.stringify(text)}`;
    throw new OpenApiCallError("invalid-arguments", message, { cause });
  }
}

/** A range of types (`*` and `text/*`) is no type. */
const contentType = (mediaType: string) =>
  mediaType.startsWith("*") ? "application/octet-stream" : mediaType.replace("text/*", "text/plain");

const contentText = (value: unknown, mediaType: string) => (isJson(mediaType) ? JSON.stringify(value) : plain(value));

function bodyContent(value: unknown, { mediaType, encoding }: RequestBody): string | FormData {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isJson(mediaType) || !isObject) return contentText(value, mediaType);
  const entries = Object.entries(value);
  if (/^multipart\//i.test(mediaType)) {
    const form = new FormData();
    for (const [key, item] of entries) {
      const type = encoding[key]?.contentType;
      for (const one of Array.isArray(item) ? item : [item]) form.append(key, part(one, type));
    }
    return form;
  }
  if (!/x-www-form-urlencoded/i.test(mediaType)) return plain(value);
  return entries
    .flatMap(([name, item]) => {
      const { style, explode, allowReserved = false } = encoding[name] ?? {};
      const isNested = typeof item === "object" && item !== null && !Array.isArray(item);
      // Without a word on how, an object inside of a form is JSON.
      const value = isNested && style === undefined && explode === undefined ? JSON.stringify(item) : item;
      const how = (style as Style | undefined) ?? "form";
      return queryPairs(value, {
        name,
        style: how,
        explode: typeof explode === "boolean" ? explode : how === "form",
        allowReserved: allowReserved === true,
      });
    })
    .join("&");
}

function part(value: unknown, type: unknown): string | Blob {
  if (typeof type === "string") return new Blob([plain(value)], { type: type.split(",")[0]!.trim() });
  return typeof value === "object" && value !== null
    ? new Blob([JSON.stringify(value)], { type: "application/json" })
    : plain(value);
}
