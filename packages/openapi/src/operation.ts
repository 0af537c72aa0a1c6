import { isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import { badOperation, OpenApiDocumentError } from "./errors.js";
import { type Fields, texts } from "./fields.js";
import { type CheckKeys, METHODS, type Method, misspeltKey } from "./known-keys.js";
import { TOKEN } from "./notation.js";
import { bodyOf, type ChooseMediaType, type RequestBody } from "./operation-body.js";
import { type Parameter, parametersOf } from "./operation-parameters.js";
import { serverOf } from "./server.js";

/** An operation, as the document describes it. */
export interface Operation {
  /** In upper case. */
  method: Method;
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

/** How operations are read. */
interface ReadingSettings {
  baseURL: string | URL | undefined;
  mediaType: ChooseMediaType | undefined;
  /** Receives each problem: an operation that cannot be used, and each misspelt key. */
  onProblem: (problem: OpenApiDocumentError) => void;
}

/**
 * Methods whose requests cannot have a body. `fetch` rejects TRACE entirely (https://fetch.spec.whatwg.org/#methods).
 */
const WITHOUT_BODY = ["get", "head"];

/**
 * Reads the operations of a document in order, without those that cannot be used: each of these is a problem.
 *
 * Errors: `OpenApiDocumentError` (`not-openapi`) if the `paths` are misspelt.
 */
export async function* readOperations(
  document: OpenApiDocument,
  settings: ReadingSettings,
): AsyncGenerator<ReadOperation> {
  const { onProblem } = settings;
  const { paths } = document.root;
  const misspelt = misspeltKey("document", document.root);
  if (misspelt !== undefined) {
    const problem = new OpenApiDocumentError("not-openapi", `The document has ${misspelt}`);
    if (paths === undefined) throw problem;
    onProblem(problem);
  }
  const checkIn = keyChecker(onProblem);
  for (const [path, item] of Object.entries((paths ?? {}) as Fields)) {
    // A reference that leads nowhere is a problem of each of the methods.
    const located = await pathItem(document, item).catch((error: unknown) => error);
    if (isLocated(located)) checkIn("")("path", located.fields, `The path ${path}`);
    for (const method of methodsOf(located)) {
      const where = `${method.toUpperCase()} ${path}`;
      if (document.isExhausted) {
        const message = `The operations from ${where} on are omitted, because the document is too large. \`include\` fewer.`;
        onProblem(new OpenApiDocumentError("limit", message));
        return;
      }
      try {
        if (!isLocated(located)) throw located;
        const described = describedBy(located.fields, method);
        if (!described) continue;
        const at = { path, method, where, described, ...located };
        yield await readOperation(document, at, settings, checkIn(`${where} has a mistake. `));
      } catch (error) {
        if (!(error instanceof OpenApiDocumentError)) throw error;
        onProblem(new OpenApiDocumentError(error.code, `${where} cannot be used. ${error.message}`, { cause: error }));
      }
    }
  }
}

/** A path of the document, and the file that has it. */
interface Located {
  fields: Fields;
  file: string;
}

/** An operation of a path. */
interface Described extends Located {
  path: string;
  method: string;
  /** `GET /pets` */
  where: string;
  described: Fields;
}

/** Errors: `OpenApiDocumentError`. */
async function readOperation(
  document: OpenApiDocument,
  { path, method, where, described, fields, file }: Described,
  { baseURL, mediaType, onProblem }: ReadingSettings,
  check: CheckKeys,
): Promise<ReadOperation> {
  const { security, servers } = document.root;
  // After the server's URL, anything else would lead to another host (`@other.example`, `.other.example`).
  if (!path.startsWith("/")) throw badOperation("Its path does not begin with a slash.");
  if (/^(trace|connect|track)$/i.test(method) || !TOKEN.test(method)) {
    throw badOperation(`\`fetch\` cannot send a ${method.toUpperCase()}.`);
  }
  check("operation", described, "It");
  const about = { method: method.toUpperCase() as Method, path, ...texts(described, "operationId") };
  const body = await bodyOf(document, described.requestBody, file, check, (types) => mediaType?.(types, about));
  const isSendable = body === undefined || !WITHOUT_BODY.includes(method);
  if (!isSendable && body.required) throw badOperation("It needs a body, which `fetch` cannot send with it.");
  if (!isSendable) onProblem(badOperation(`${where} has no body as a tool: \`fetch\` cannot send one with it.`));
  const server = baseURL ?? serverOf(document, [described.servers, fields.servers, servers]);
  const declared = { path, file, ofPath: fields.parameters, own: described.parameters };
  const parameters = await parametersOf(document, declared, check, (mistake) =>
    onProblem(badOperation(`${where} has a mistake. ${mistake}`)),
  );
  return {
    operation: {
      ...about,
      ...texts(described, "summary", "description"),
      tags: Array.isArray(described.tags) ? described.tags.map(String) : [],
      deprecated: described.deprecated === true,
      security: securityOf(described.security ?? security ?? []),
      server: String(server).replace(/\/+$/, ""),
    },
    parameters,
    body: isSendable ? body : undefined,
  };
}

/** Checks the keys of objects, of each once; `where` is the beginning of the message. */
function keyChecker(onProblem: ReadingSettings["onProblem"]): (where: string) => CheckKeys {
  const checked = new Set<unknown>();
  return (where) => (kind, value, what) => {
    if (checked.has(value)) return;
    checked.add(value);
    const slip = misspeltKey(kind, value);
    if (slip !== undefined) onProblem(badOperation(`${where}${what} has ${slip}`));
  };
}

/** The methods of the specification, and those that a path adds (`additionalOperations` of OpenAPI 3.2). */
function methodsOf(located: unknown): readonly string[] {
  const more = isLocated(located) ? located.fields.additionalOperations : undefined;
  return isObject(more) ? [...METHODS, ...Object.keys(more)] : METHODS;
}

function describedBy(fields: Fields, method: string): Fields | undefined {
  const { additionalOperations: more } = fields;
  const described = METHODS.includes(method) ? fields[method] : isObject(more) ? more[method] : undefined;
  return isObject(described) ? described : undefined;
}

/** Errors: `OpenApiDocumentError` (`bad-operation`). */
function securityOf(given: unknown): Operation["security"] {
  if (Array.isArray(given) && given.every(isObject)) return given as Operation["security"];
  throw badOperation('Its `security` is not a list of sets of schemes, such as [{ "key": [] }].');
}

const isLocated = (value: unknown): value is Located => isObject(value) && !(value instanceof Error);

async function pathItem(document: OpenApiDocument, item: unknown): Promise<Located> {
  const { value, file } = await document.follow(item, document.file);
  return { fields: isObject(value) ? value : {}, file };
}
