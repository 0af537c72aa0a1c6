import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { $RefParser, ParserError } from "@apidevtools/json-schema-ref-parser";
import { clip, describeValue, didYouMean, isObject, messageOf } from "@toolingua/core/adapters";
import { checkSize } from "./document-size.js";
import { OpenApiDocumentError } from "./errors.js";
import type { Fields } from "./fields.js";
import { readLocalFile } from "./local-file.js";
import type { Origins } from "./origins.js";
import { shownPlace, withoutSecrets } from "./shown-place.js";
import { fromSwagger } from "./swagger.js";

/** A part of the document, and its file, to which its references are relative. */
export interface Located {
  value: unknown;
  file: string;
  /** The file and the decoded pointer of the last reference that led here; empty if none did. */
  key: string;
}

/** The location of a document that was given as an object. */
const NOWHERE = "";
/** The longest chain of references. A longer one is circular. */
const MAX_STEPS = 100;
/** The most visits of schemas and other parts, of all operations together. GitHub's 706 operations need 9,000. */
const MAX_VISITS = 2_000_000;
/** After how many of them other work of this process has its turn. */
const VISITS_AT_ONCE = 10_000;

/**
 * An OpenAPI document and the files that it refers to. A file is read when a needed reference leads to it.
 *
 * References are not resolved in advance: an example may contain data that looks like a reference, which would be
 * fetched.
 */
export class OpenApiDocument {
  readonly root: Fields;
  readonly file: string;
  readonly #files = new Map<string, Promise<$RefParser>>();
  readonly #fetch: typeof fetch;
  readonly #origins: Origins;
  readonly #located = new Map<string, Located>();
  #visits = 0;

  private constructor(root: Fields, file: string, parser: $RefParser, fetched: typeof fetch, origins: Origins) {
    this.root = root;
    this.file = file;
    this.#fetch = fetched;
    this.#origins = origins;
    this.#files.set(file, Promise.resolve(parser));
  }

  /** Errors: `OpenApiDocumentError` (`unreadable`, `not-openapi`, `unsupported-version`, `limit`). */
  static async open(
    source: string | URL | object,
    location: string | URL | undefined,
    fetched: typeof fetch,
    origins: Origins,
  ) {
    if (typeof source !== "string" && (typeof source !== "object" || source === null)) {
      const message = `The document is a path, a URL, or an object, not ${describeValue(source)}.`;
      throw new OpenApiDocumentError("unreadable", message);
    }
    if (typeof source === "string" && /^\s*\{|\n/.test(source)) {
      const message =
        "The document is a path, a URL, or an object. This is its text: parse it first, such as with JSON.parse.";
      throw new OpenApiDocumentError("unreadable", message);
    }
    const given = typeof source === "object" && !(source instanceof URL);
    const file = given ? (location === undefined ? NOWHERE : placeOf(location)) : placeOf(source);
    let parser = await read(given ? (source as Fields) : file, fetched, origins);
    if (isSwagger(parser.schema)) parser = await read(await upgraded(parser.schema), fetched, origins);
    const root = parser.schema as unknown;
    const { openapi, swagger, paths } = isObject(root) ? root : {};
    // YAML reads an unquoted version as a number.
    const version = typeof openapi === "number" ? openapi.toFixed(1) : openapi;
    if (typeof version !== "string" || !/^3\.[012](\.|$)/.test(version)) {
      if (swagger === undefined && openapi === undefined) {
        const what = file === NOWHERE ? "This" : shownPlace(file);
        const keys = Object.keys(Object(root)).slice(0, 5);
        const others = keys.length === 0 ? "" : `, but ${keys.map((key) => JSON.stringify(clip(key, 100))).join(", ")}`;
        const message = `${what} is not an OpenAPI document: it has no field \`openapi\`${others}.`;
        throw new OpenApiDocumentError("not-openapi", message);
      }
      const which = file === NOWHERE ? "the document" : shownPlace(file);
      const message = `OpenAPI ${String(version ?? swagger)} is not supported: convert ${which} to 3.0, 3.1 or 3.2 first.`;
      throw new OpenApiDocumentError("unsupported-version", message);
    }
    if (paths !== undefined && !isObject(paths)) {
      throw new OpenApiDocumentError("not-openapi", "The `paths` of the document are not an object.");
    }
    return new OpenApiDocument(root as Fields, baseOf(root, file, origins), parser, fetched, origins);
  }

  /** Whether so many parts were visited that the rest of the document is not read. */
  get isExhausted(): boolean {
    return this.#visits > MAX_VISITS;
  }

  /**
   * Follows references until there is a value. Errors: `OpenApiDocumentError` (`bad-reference`; `limit`, since operations can
   * describe far more together than the document is long).
   */
  async follow(value: unknown, file: string): Promise<Located> {
    if (++this.#visits > MAX_VISITS) {
      const message = `The document is too large: its operations have more than ${MAX_VISITS} schemas together.`;
      throw new OpenApiDocumentError("limit", message);
    }
    if (this.#visits % VISITS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    let located: Located = { value, file, key: "" };
    for (let step = 0; isReference(located.value); step++) {
      if (step === MAX_STEPS) throw badReference(located.value.$ref, "it leads in a circle");
      located = await this.#get(located.value.$ref, located.file);
    }
    return located;
  }

  async #get(reference: string, from: string): Promise<Located> {
    const known = this.#located.get(`${from} ${reference}`);
    if (known) return known;
    const [place = "", pointer = ""] = reference.split("#", 2);
    const file = place === "" ? from : this.#allowed(place, from, reference);
    let parser = this.#files.get(file);
    if (!parser) {
      parser = read(file, this.#fetch, this.#origins);
      this.#files.set(file, parser);
    }
    try {
      const key = `${file}#${decodeURIComponent(pointer)}`;
      const value: unknown = (await parser).$refs.get(`#${pointer}`);
      const located = { value, file, key };
      this.#located.set(`${from} ${reference}`, located);
      return located;
    } catch (cause) {
      const read = await parser.catch(() => undefined);
      throw badReference(reference, (read && whyNowhere(read.schema, pointer)) ?? messageOf(cause), cause);
    }
  }

  /** Whether tools may send requests to a server that the document names, see {@link Origins.mayServe}. */
  mayServe(server: URL): boolean {
    return this.#origins.mayServe(this.file, server);
  }

  /**
   * A document from the web cannot refer to local files. No document can refer to other origins, unless they are
   * allowed. A document without a location cannot refer to other files at all.
   */
  #allowed(place: string, from: string, reference: string): string {
    if (from === NOWHERE) {
      throw badReference(reference, "the document was given without its `location`, so it cannot refer to other files");
    }
    if (!URL.canParse(place, from)) throw badReference(reference, "its place is not a URL");
    const url = new URL(place, from);
    if (url.protocol === "file:" && !from.startsWith("file:")) {
      throw badReference(reference, "a document of the web cannot refer to a file");
    }
    if (!this.#origins.mayLead(from, url) && !this.#origins.mayLead(this.file, url)) {
      throw badReference(reference, `${url.origin} is not the document's origin: add it to \`allow\``);
    }
    return url.href;
  }
}

/** The base of a document's references: its `$self` (OpenAPI 3.2), if it is allowed for that location. */
function baseOf(root: unknown, file: string, origins: Origins): string {
  const self = isObject(root) ? root.$self : undefined;
  if (typeof self !== "string" || file === NOWHERE || !URL.canParse(self, file)) return file;
  const url = new URL(self, file);
  return url.protocol !== "file:" && origins.mayLead(file, url) ? url.href.replace(/#.*$/s, "") : file;
}

export const isReference = (value: unknown): value is { $ref: string } =>
  isObject(value) && typeof value.$ref === "string";

const isSwagger = (root: unknown): root is Fields => isObject(root) && /^2(\.|$)/.test(String(root.swagger));

async function upgraded(root: Fields): Promise<Fields> {
  try {
    return await fromSwagger(root);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new OpenApiDocumentError("not-openapi", `The Swagger document cannot be read: ${reason}`, { cause });
  }
}

/** The first step of a pointer that leads nowhere, and what is there instead; undefined if all lead somewhere. */
function whyNowhere(root: unknown, pointer: string): string | undefined {
  let [at, place] = [root, "#"];
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(at) || !Object.hasOwn(at, key)) {
      const where = place === "#" ? "the document" : place;
      const known = isObject(at) ? Object.keys(at) : [];
      return `there is no ${JSON.stringify(clip(key, 100))} in ${where}. ${didYouMean(key, known, "")}`.trim();
    }
    at = at[key];
    place += `/${step}`;
  }
  return undefined;
}

/** The error for a reference that leads nowhere, or to a forbidden place. */
export function badReference(reference: string, why: string, cause?: unknown): OpenApiDocumentError {
  const sentence = why.endsWith("?") ? why : `${why.replace(/\.$/, "")}.`;
  const message = `The reference ${JSON.stringify(withoutSecrets(reference))} cannot be followed: ${sentence}`;
  return new OpenApiDocumentError("bad-reference", message, { cause });
}

function placeOf(source: string | URL): string {
  if (typeof source === "string" && !/^(https?|file):/.test(source)) return pathToFileURL(resolve(source)).href;
  if (URL.canParse(String(source))) return new URL(source).href;
  throw new OpenApiDocumentError(
    "unreadable",
    `This is not a valid URL: ${JSON.stringify(withoutSecrets(String(source)))}`,
  );
}

async function read(source: string | Fields, fetched: typeof fetch, origins: Origins): Promise<$RefParser> {
  const parser = new $RefParser();
  try {
    if (typeof source === "string") {
      const text = await (/^https?:/.test(source) ? origins.read(source, fetched) : readLocalFile(source));
      if (text.trim() === "") throw new Error(`${shownPlace(source)} is empty`);
      if (/^\s*<(?:!doctype|html)\b/i.test(text)) {
        throw new Error(`${shownPlace(source)} is a page of HTML, and not the document itself in JSON or YAML`);
      }
      // The parser takes the place for a path and encodes it once more, so it gets the text.
      await parser.parse(source, { resolve: { http: false, file: false, given: { canRead: true, read: () => text } } });
    } else {
      checkSize(source);
      await parser.parse(source);
    }
    checkSize(parser.schema);
    return parser;
  } catch (cause) {
    if (cause instanceof OpenApiDocumentError) throw cause;
    const message = `The document cannot be read: ${whyUnread(cause, typeof source === "string" ? source : "it")}`;
    throw new OpenApiDocumentError("unreadable", message, { cause });
  }
}

function whyUnread(cause: unknown, place: string): string {
  if (cause instanceof ParserError) return cause.message.replace(cause.source ?? "", () => shownPlace(place));
  return cause instanceof SyntaxError ? `${shownPlace(place)} contains no object` : messageOf(cause);
}
