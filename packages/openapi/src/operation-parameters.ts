import { didYouMean, isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import { badOperation } from "./errors.js";
import { type Fields, texts } from "./fields.js";
import { type CheckKeys, misspeltKey } from "./known-keys.js";
import { TEMPLATE_EXPRESSIONS, TOKEN } from "./notation.js";
import { isStyle, type Serialization, type Style } from "./serialize.js";
import { mustFit } from "./structure.js";

/** `querystring`: the whole query is one value (OpenAPI 3.2). */
export type Place = "path" | "query" | "header" | "cookie" | "querystring";

/** A parameter of the request, besides its body. */
export interface Parameter extends Serialization {
  in: Place;
  description?: string;
  required: boolean;
  schema: unknown;
  /** The file that contains its schema. */
  file: string;
  /** Its media type, if it is written as JSON or text and not in a style. */
  mediaType?: string | undefined;
}

/**
 * Headers that parameters cannot describe: the specification ignores the first three; a `host` would lead to another one behind
 * the same server; the others are those of the connection, which `fetch` sets.
 */
const IGNORED_HEADERS = [
  ...["accept", "content-type", "authorization", "host"],
  ...["content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect"],
];
const STYLES: Record<Place, Style> = {
  ...{ path: "simple", query: "form", header: "simple", cookie: "form", querystring: "form" },
};

/**
 * The parameters of an operation: those of its path, and its own, which override those of the same name and place.
 *
 * Errors: `OpenApiDocumentError` (`bad-operation`).
 */
export async function parametersOf(
  document: OpenApiDocument,
  { path, file, ofPath, own }: { path: string; file: string; ofPath: unknown; own: unknown },
  check: CheckKeys,
  report: (mistake: string) => void,
): Promise<Parameter[]> {
  const found = new Map<string, Parameter>();
  for (const given of [ofPath, own].flatMap((list) => (Array.isArray(list) ? list : []))) {
    const at = await document.follow(given, file);
    const parameter = isObject(at.value) ? readParameter(at.value, at.file) : undefined;
    if (!parameter) throw badOperation(whyUnread(at.value));
    check("parameter", at.value, `Its parameter "${parameter.name}"`);
    if (!isStyle(parameter.style)) {
      throw badOperation(`Its parameter "${parameter.name}" has the unknown style "${String(parameter.style)}".`);
    }
    if (parameter.in === "querystring" && parameter.mediaType === undefined) {
      throw badOperation(`Its parameter "${parameter.name}" is a whole query and has no media type.`);
    }
    if (parameter.mediaType !== undefined) await mustFit(document, parameter.mediaType, parameter.schema, at.file);
    if (parameter.in === "header" && IGNORED_HEADERS.includes(parameter.name.toLowerCase())) continue;
    if (parameter.in === "header" && !TOKEN.test(parameter.name)) {
      throw badOperation(`Its parameter "${parameter.name}" is no name of a header.`);
    }
    found.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  const expressions = [...path.matchAll(TEMPLATE_EXPRESSIONS)].map(([, name = ""]) => name);
  for (const [key, { name, in: place }] of found) {
    if (place !== "path" || expressions.includes(name)) continue;
    // It would be asked for and not be sent.
    found.delete(key);
    const written = path.replace(`:${name}`, () => `{${name}}`);
    const hint = written === path ? didYouMean(name, expressions, "") : `Write "${written}".`;
    report(`Its path has no "{${name}}", which a parameter fills. ${hint}`.trim());
  }
  // An undeclared placeholder in the path must be filled as well.
  for (const name of expressions) {
    const key = `path ${name}`;
    if (!found.has(key)) found.set(key, readParameter({ name, in: "path", schema: { type: "string" } }, file)!);
  }
  return [...found.values()];
}

/** What a parameter lacks, or has instead. */
function whyUnread(parameter: unknown): string {
  const { name, in: place } = Object(parameter) as Fields;
  if (typeof name === "string" && typeof place === "string") {
    const said = `Its parameter "${name}" has a wrong \`in\`: "${place}" is no place of a parameter`;
    return /^(?:body|formData)$/.test(place)
      ? `${said} in OpenAPI 3: it is the \`requestBody\`.`
      : `${said}. ${didYouMean(place, Object.keys(STYLES))}`;
  }
  const slip = misspeltKey("parameter", parameter);
  return `It has a parameter without a name or a place.${slip === undefined ? "" : ` It has ${slip}`}`;
}

function readParameter(from: Fields, file: string): Parameter | undefined {
  const { name, in: place, content } = from;
  if (typeof name !== "string" || typeof place !== "string" || !Object.hasOwn(STYLES, place)) return undefined;
  const [[mediaType, media] = []] = isObject(content) ? Object.entries(content) : [];
  const style = (from.style as Style | undefined) ?? STYLES[place as Place];
  return {
    name,
    in: place as Place,
    ...texts(from, "description"),
    required: place === "path" || from.required === true,
    schema: isObject(media) ? media.schema : from.schema,
    file,
    mediaType,
    style,
    explode: typeof from.explode === "boolean" ? from.explode : style === "form" || style === "cookie",
    allowReserved: from.allowReserved === true,
  };
}
