import { isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import { OpenApiDocumentError } from "./errors.js";
import type { Fields } from "./fields.js";
import { holdsObjects, isRange } from "./media-types.js";
import { isStyle, type Serialization, type Style } from "./serialize.js";

/** An operation, as the document describes it. */
export interface Operation {
  /** In upper case. */
  method: string;
  /** As in the document: `/pets/{id}`. */
  path: string;
  operationId?: string;
  summary?: string;
  description?: string;
  tags: readonly string[];
  deprecated: boolean;
  /** Names of security schemes: one of these sets must be satisfied. The schemes are in the document's `components`. */
  security: readonly Readonly<Record<string, readonly string[]>>[];
  /** The base URL of the API, without a slash at the end. */
  server: string;
}

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

/** The body of the request, in the chosen media type. */
export interface RequestBody {
  description?: string;
  required: boolean;
  mediaType: string;
  schema: unknown;
  file: string;
  /** How the properties of a form are written. */
  encoding: Readonly<Record<string, Fields>>;
  /** Whether the whole body is a file, and which properties of a form are files. */
  isFile: boolean;
  files: ReadonlySet<string>;
}

/** Chooses one of a body's media types; undefined: by the default order. */
export type ChooseMediaType = (mediaTypes: readonly string[], operation: BodyOf) => string | undefined;

/** The facts about an operation when its media type is chosen. */
export type BodyOf = Pick<Operation, "method" | "path"> & { operationId?: string };

/** An operation with everything that is needed for a request. */
export interface ReadOperation {
  operation: Operation;
  parameters: readonly Parameter[];
  body: RequestBody | undefined;
}

/**
 * Methods whose requests cannot have a body. `fetch` rejects TRACE entirely (https://fetch.spec.whatwg.org/#methods).
 */
const WITHOUT_BODY = ["get", "head"];
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
/** Headers that parameters cannot describe: the specification ignores such parameters. */
const IGNORED_HEADERS = ["accept", "content-type", "authorization"];
const STYLES: Record<Place, Style> = {
  ...{ path: "simple", query: "form", header: "simple", cookie: "form", querystring: "form" },
};

/**
 * Reads the operations of a document in order. Yields an error in place of an unreadable operation, so that the others
 * can still be used.
 */
export async function* readOperations(
  document: OpenApiDocument,
  baseUrl: string | URL | undefined,
  choose: ChooseMediaType | undefined,
): AsyncGenerator<ReadOperation | OpenApiDocumentError> {
  const { paths = {}, security, servers } = document.root;
  for (const [path, item] of Object.entries(paths as Fields)) {
    let shared: Located | undefined;
    for (const method of await methodsOf(document, item)) {
      try {
        shared ??= await pathItem(document, item);
        const { fields, file } = shared;
        const { additionalOperations: more } = fields;
        const described = METHODS.includes(method) ? fields[method] : isObject(more) ? more[method] : undefined;
        if (!isObject(described)) continue;
        if (/^(trace|connect|track)$/i.test(method)) {
          throw badOperation(`\`fetch\` cannot send a ${method.toUpperCase()}.`);
        }
        const about = { method: method.toUpperCase(), path, ...texts(described, "operationId") };
        const body = await bodyOf(document, described.requestBody, file, (types) => choose?.(types, about));
        const isSendable = body === undefined || !WITHOUT_BODY.includes(method);
        if (!isSendable && body.required) throw badOperation("It needs a body, which `fetch` cannot send with it.");
        if (!isSendable) {
          const message = `${method.toUpperCase()} ${path} has no body as a tool: \`fetch\` cannot send one with it.`;
          yield new OpenApiDocumentError("bad-operation", message);
        }
        const server = baseUrl ?? serverOf(document, [described.servers, fields.servers, servers]);
        yield {
          operation: {
            method: method.toUpperCase(),
            path,
            ...texts(described, "operationId", "summary", "description"),
            tags: Array.isArray(described.tags) ? described.tags.map(String) : [],
            deprecated: described.deprecated === true,
            security: securityOf(described.security ?? security ?? []),
            server: String(server).replace(/\/+$/, ""),
          },
          parameters: await parametersOf(document, path, fields.parameters, described.parameters, file),
          body: isSendable ? body : undefined,
        };
      } catch (error) {
        if (!(error instanceof OpenApiDocumentError)) throw error;
        const message = `${method.toUpperCase()} ${path} cannot be used. ${error.message}`;
        yield new OpenApiDocumentError(error.code, message, { cause: error });
      }
    }
  }
}

/** The methods of the specification, and those that a path adds (`additionalOperations` of OpenAPI 3.2). */
async function methodsOf(document: OpenApiDocument, item: unknown): Promise<string[]> {
  try {
    const { additionalOperations: more } = (await pathItem(document, item)).fields;
    return [...METHODS, ...(isObject(more) ? Object.keys(more) : [])];
  } catch {
    // A problem of the path is reported for each of its methods.
    return METHODS;
  }
}

/** Errors: `OpenApiDocumentError` (`bad-operation`). */
function securityOf(given: unknown): Operation["security"] {
  if (Array.isArray(given) && given.every(isObject)) return given as Operation["security"];
  throw badOperation('Its `security` is not a list of sets of schemes, such as [{ "key": [] }].');
}

const badOperation = (why: string) => new OpenApiDocumentError("bad-operation", why);

interface Located {
  fields: Fields;
  file: string;
}

async function pathItem(document: OpenApiDocument, item: unknown): Promise<Located> {
  const { value, file } = await document.follow(item, document.file);
  return { fields: isObject(value) ? value : {}, file };
}

const texts = <Key extends string>(from: Fields, ...keys: Key[]) =>
  Object.fromEntries(keys.flatMap((key) => (typeof from[key] === "string" ? [[key, from[key]]] : []))) as {
    [K in Key]?: string;
  };

/**
 * The first server of the innermost list, with the defaults of its variables, or their only values. Errors:
 * `no-server`.
 */
function serverOf(document: OpenApiDocument, lists: unknown[]): string {
  const list = lists.find((one) => Array.isArray(one) && one.length > 0) as unknown[] | undefined;
  const server = list?.[0];
  const { url = "/", variables } = isObject(server) ? server : {};
  const filled = String(url).replace(/\{([^}]*)\}/g, (whole, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined;
    const { default: value, enum: values } = isObject(variable) ? variable : {};
    const only: unknown = Array.isArray(values) && values.length === 1 ? values[0] : undefined;
    return String(value ?? only ?? whole);
  });
  const base = document.file.startsWith("http") ? document.file : undefined;
  if (!/[{}]/.test(filled) && URL.canParse(filled, base)) {
    const server = new URL(filled, base);
    if (document.mayServe(server)) return server.href;
    const message = `The document comes from the web but its server is in a private network, ${server.origin}: add it to \`allow\`, or set \`baseUrl\`.`;
    throw new OpenApiDocumentError("refused-server", message);
  }
  throw new OpenApiDocumentError(
    "no-server",
    `The document does not contain the URL of the API (${filled}): set \`baseUrl\`.`,
  );
}

/** Parameters of the operation override those of the path with the same name and place. */
async function parametersOf(
  document: OpenApiDocument,
  path: string,
  ofPath: unknown,
  ofOperation: unknown,
  file: string,
): Promise<Parameter[]> {
  const found = new Map<string, Parameter>();
  for (const given of [ofPath, ofOperation].flatMap((list) => (Array.isArray(list) ? list : []))) {
    const at = await document.follow(given, file);
    const parameter = isObject(at.value) ? readParameter(at.value, at.file) : undefined;
    if (!parameter) throw badOperation("It has a parameter without a name or a place.");
    if (!isStyle(parameter.style)) {
      throw badOperation(`Its parameter "${parameter.name}" has the unknown style "${String(parameter.style)}".`);
    }
    if (parameter.in === "querystring" && parameter.mediaType === undefined) {
      throw badOperation(`Its parameter "${parameter.name}" is a whole query and has no media type.`);
    }
    if (parameter.mediaType !== undefined) await mustFit(document, parameter.mediaType, parameter.schema, at.file);
    if (parameter.in === "header" && IGNORED_HEADERS.includes(parameter.name.toLowerCase())) continue;
    found.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  // An undeclared placeholder in the path must be filled as well.
  for (const [, name = ""] of path.matchAll(/\{([^}]*)\}/g)) {
    const key = `path ${name}`;
    if (!found.has(key)) found.set(key, readParameter({ name, in: "path", schema: { type: "string" } }, file)!);
  }
  return [...found.values()];
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

/** The order of preference: JSON, then forms, then text, then types that may be JSON. */
const PREFERRED = [
  /^application\/json\s*(;|$)/i,
  // A model writes it as the object itself, not as a list of changes.
  /^application\/merge-patch\+json\b/i,
  /[/+]json\b/i,
  /^application\/(x-ndjson|jsonl|x-jsonlines)\b/i,
  /^application\/x-www-form-urlencoded/i,
  /^multipart\/form-data/i,
  /^text\/(plain|\*)/i,
  /^(\*|application\/\*)/,
];

async function bodyOf(
  document: OpenApiDocument,
  given: unknown,
  from: string,
  choose: (mediaTypes: readonly string[]) => string | undefined,
): Promise<RequestBody | undefined> {
  const { value, file: place } = await document.follow(given, from);
  if (!isObject(value) || !isObject(value.content)) return undefined;
  const types = Object.keys(value.content);
  const chosen = choose(types);
  if (chosen !== undefined && !types.includes(chosen)) {
    throw badOperation(`Its body does not have the chosen media type "${chosen}". It has ${types.join(", ")}.`);
  }
  const usual = PREFERRED.map((one) => types.find((type) => one.test(type))).find(Boolean) ?? types[0];
  const named = chosen ?? usual;
  if (named === undefined) return undefined;
  const { value: media, file } = await document.follow(value.content[named], place);
  const { schema: whole, itemSchema, encoding } = isObject(media) ? media : {};
  const schema = whole === undefined && itemSchema !== undefined ? { type: "array", items: itemSchema } : whole;
  // If any type is accepted, objects are sent as JSON.
  const mediaType = isRange(named) && (await isStructure(document, schema, file)) ? "application/json" : named;
  await mustFit(document, mediaType, schema, file);
  const encodings = isObject(encoding) ? (encoding as Record<string, Fields>) : {};
  return {
    ...texts(value, "description"),
    required: value.required === true,
    mediaType,
    schema,
    file,
    encoding: encodings,
    isFile: await isFile(document, schema, file, mediaType),
    files: await fileProperties(document, schema, file, encodings),
  };
}

/** Media types that are text, even if the schema does not say so. */
const WRITTEN = /^text\/|[/+](json|xml|yaml|x-www-form-urlencoded)\b|^multipart\//i;

/**
 * Whether a value is bytes: by `format: binary` in OpenAPI 3.0; in 3.1 by a `contentMediaType` that is not text, else
 * by the media type that it is sent in. A `contentEncoding` makes it text
 * (https://spec.openapis.org/oas/v3.1.1.html#working-with-binary-data).
 */
async function isFile(document: OpenApiDocument, schema: unknown, from: string, sentAs?: string): Promise<boolean> {
  const { value } = await document.follow(schema, from);
  const isBinary = sentAs !== undefined && !isRange(sentAs) && !WRITTEN.test(sentAs);
  if (!isObject(value)) return isBinary;
  const { type, format, contentMediaType, contentEncoding } = value;
  if (format === "binary") return true;
  if (contentEncoding !== undefined) return false;
  if (typeof contentMediaType === "string") return !WRITTEN.test(contentMediaType);
  return isBinary && (type === undefined || type === "string");
}

async function fileProperties(
  document: OpenApiDocument,
  schema: unknown,
  from: string,
  encoding: Readonly<Record<string, Fields>>,
  found = new Set<string>(),
  seen = new Set<unknown>(),
): Promise<ReadonlySet<string>> {
  const { value, file } = await document.follow(schema, from);
  if (!isObject(value) || seen.has(value)) return found;
  seen.add(value);
  for (const [name, property] of Object.entries(isObject(value.properties) ? value.properties : {})) {
    const at = await document.follow(property, file);
    const items = isObject(at.value) && at.value.type === "array" ? at.value.items : at.value;
    const sentAs = encoding[name]?.contentType;
    if (await isFile(document, items, at.file, typeof sentAs === "string" ? sentAs : undefined)) found.add(name);
  }
  for (const part of Array.isArray(value.allOf) ? value.allOf : []) {
    await fileProperties(document, part, file, encoding, found, seen);
  }
  return found;
}

/** Errors: `bad-operation` for an object or a list in a media type with its own notation, such as XML. */
async function mustFit(document: OpenApiDocument, mediaType: string, schema: unknown, file: string): Promise<void> {
  if (holdsObjects(mediaType) || !(await isStructure(document, schema, file))) return;
  throw badOperation(`It takes an object or a list in ${mediaType}, which is not supported.`);
}

/** Whether a schema requires an object or a list, directly or by a part of its `allOf`. */
async function isStructure(
  document: OpenApiDocument,
  schema: unknown,
  from: string,
  seen = new Set<unknown>(),
): Promise<boolean> {
  const { value, file } = await document.follow(schema, from);
  if (!isObject(value) || seen.has(value)) return false;
  seen.add(value);
  const { type, properties, allOf } = value;
  if (type === "object" || type === "array" || isObject(properties)) return true;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    if (await isStructure(document, part, file, seen)) return true;
  }
  return false;
}
