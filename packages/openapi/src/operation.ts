import { isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import { badOperation, OpenApiDocumentError } from "./errors.js";
import { type Fields, texts } from "./fields.js";
import { type CheckKeys, METHODS, misspeltKey } from "./known-keys.js";
import { TEMPLATE_EXPRESSIONS, TOKEN } from "./notation.js";
import { bodyOf, type ChooseMediaType, type RequestBody } from "./operation-body.js";
import { type Parameter, parametersOf } from "./operation-parameters.js";

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

/**
 * Reads the operations of a document in order. Yields an error in place of an unreadable operation, so that the others
 * can still be used, and one for each misspelt key.
 *
 * Errors: `OpenApiDocumentError` (`not-openapi`) if the `paths` are misspelt.
 */
export async function* readOperations(
  document: OpenApiDocument,
  baseURL: string | URL | undefined,
  choose: ChooseMediaType | undefined,
): AsyncGenerator<ReadOperation | OpenApiDocumentError> {
  const { paths = {}, security, servers } = document.root;
  const misspelt = misspeltKey("document", document.root);
  if (misspelt !== undefined) {
    const problem = new OpenApiDocumentError("not-openapi", `The document has ${misspelt}`);
    if (document.root.paths === undefined) throw problem;
    yield problem;
  }
  const checked = new Set<unknown>();
  let slips: string[] = [];
  const check: CheckKeys = (kind, value, what) => {
    if (checked.has(value)) return;
    checked.add(value);
    const slip = misspeltKey(kind, value);
    if (slip !== undefined) slips.push(`${what} has ${slip}`);
  };
  for (const [path, item] of Object.entries(paths as Fields)) {
    let shared: Located | undefined;
    slips = [];
    // A reference that leads nowhere is reported for each of the methods.
    const found = await pathItem(document, item).catch(() => undefined);
    check("path", found?.fields, `The path ${path}`);
    for (const slip of slips) yield new OpenApiDocumentError("bad-operation", slip);
    for (const method of await methodsOf(document, item)) {
      if (document.isExhausted) {
        const message = `The operations from ${method.toUpperCase()} ${path} on are omitted, because the document is too large. \`include\` fewer.`;
        yield new OpenApiDocumentError("limit", message);
        return;
      }
      try {
        shared ??= await pathItem(document, item);
        const { fields, file } = shared;
        const { additionalOperations: more } = fields;
        const described = METHODS.includes(method) ? fields[method] : isObject(more) ? more[method] : undefined;
        if (!isObject(described)) continue;
        // After the server's URL, anything else would lead to another host (`@other.example`, `.other.example`).
        if (!path.startsWith("/")) throw badOperation("Its path does not begin with a slash.");
        if (/^(trace|connect|track)$/i.test(method) || !TOKEN.test(method)) {
          throw badOperation(`\`fetch\` cannot send a ${method.toUpperCase()}.`);
        }
        slips = [];
        check("operation", described, "It");
        const about = { method: method.toUpperCase(), path, ...texts(described, "operationId") };
        const body = await bodyOf(document, described.requestBody, file, check, (types) => choose?.(types, about));
        const isSendable = body === undefined || !WITHOUT_BODY.includes(method);
        if (!isSendable && body.required) throw badOperation("It needs a body, which `fetch` cannot send with it.");
        if (!isSendable) {
          const message = `${method.toUpperCase()} ${path} has no body as a tool: \`fetch\` cannot send one with it.`;
          yield new OpenApiDocumentError("bad-operation", message);
        }
        const server = baseURL ?? serverOf(document, [described.servers, fields.servers, servers]);
        const parameters = await parametersOf(document, path, fields.parameters, described.parameters, file, check);
        for (const slip of slips) {
          yield new OpenApiDocumentError("bad-operation", `${method.toUpperCase()} ${path} has a mistake. ${slip}`);
        }
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
          parameters,
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

interface Located {
  fields: Fields;
  file: string;
}

async function pathItem(document: OpenApiDocument, item: unknown): Promise<Located> {
  const { value, file } = await document.follow(item, document.file);
  return { fields: isObject(value) ? value : {}, file };
}

/**
 * The first server of the innermost list, with the defaults of its variables, or their only values. Errors:
 * `no-server`.
 */
function serverOf(document: OpenApiDocument, lists: unknown[]): string {
  const list = lists.find((one) => Array.isArray(one) && one.length > 0) as unknown[] | undefined;
  const given = list?.[0];
  const { url = "/", variables } = isObject(given) ? given : {};
  const filled = String(url).replace(TEMPLATE_EXPRESSIONS, (whole, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined;
    const { default: value, enum: values } = isObject(variable) ? variable : {};
    const only: unknown = Array.isArray(values) && values.length === 1 ? values[0] : undefined;
    return String(value ?? only ?? whole);
  });
  const base = document.file.startsWith("http") ? document.file : undefined;
  const server = !/[{}]/.test(filled) && URL.canParse(filled, base) ? new URL(filled, base) : undefined;
  if (server && /^https?:$/.test(server.protocol)) {
    if (server.username + server.password !== "") {
      const message = `The URL of the server ${server.host} contains a user name or a password: set \`baseURL\` without them, and \`credentials\`.`;
      throw new OpenApiDocumentError("refused-server", message);
    }
    if (document.mayServe(server)) return server.href;
    const message = `The document comes from the web but its server is in a private network, ${server.origin}: add it to \`allow\`, or set \`baseURL\`.`;
    throw new OpenApiDocumentError("refused-server", message);
  }
  throw new OpenApiDocumentError(
    "no-server",
    `The document does not contain the URL of the API (${filled}): set \`baseURL\`.`,
  );
}
