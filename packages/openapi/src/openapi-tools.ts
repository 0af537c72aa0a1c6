import {
  type JsonSchema,
  normalizeTools,
  type Tool,
  type ToolDefinition,
  ToolDefinitionError,
  type ToolExecutionContext,
} from "@toolingua/core";
import { isObject } from "@toolingua/core/adapters";
import { type ApiAnswer, answerFor, shownTo } from "./call.js";
import { Security } from "./credentials.js";
import { OpenApiDocument } from "./document.js";
import { OpenApiCallError, OpenApiDocumentError } from "./errors.js";
import type { Fields } from "./fields.js";
import { namer } from "./names.js";
import { type Operation, type ReadOperation, readOperations } from "./operation.js";
import { checkOpenApiOptions, type OpenApiOptions } from "./options.js";
import { Origins } from "./origins.js";
import type { ApiRequest, Binding } from "./request.js";
import { ToolSchemas } from "./schema.js";

/** A tool that makes an HTTP request. It is core's `Tool`, so every adapter accepts it. */
export interface OpenApiTool extends Tool {
  /** The operation that it calls, from which its name is derived. */
  readonly operation: Operation;
  /**
   * Calls the API and returns the complete answer: a file as bytes, and the headers. Throws the errors that `execute`
   * returns.
   */
  call(args: Record<string, unknown>, context?: { signal?: AbortSignal | undefined }): Promise<ApiAnswer>;
}

const TIMEOUT = 30_000;

/**
 * Makes tools of the operations of an OpenAPI document (3.0 to 3.2, JSON or YAML). The tools make the requests.
 * `document` is a path, a URL, or the document itself.
 *
 * A tool is named after its `operationId`, else after its method and path, in letters, digits, `_` and `-`;
 * `tool.operation` is its operation. Those of GET and HEAD are `readOnly`. Its arguments are the parameters by name, and the body as `body`. If a call fails,
 * `execute` returns an {@link OpenApiCallError}, whose message the model is shown; an aborted call throws the signal's
 * reason.
 *
 * Errors: {@link OpenApiDocumentError} for a document that cannot be read; `OptionsError` (`bad-option`).
 *
 * @example
 * const tools = await openApiTools("https://api.example.com/openapi.json", {
 *   include: ({ method, tags }) => method === "GET" && tags.includes("orders"),
 *   authorize: ({ headers }) => headers.set("authorization", `Bearer ${token}`),
 * });
 */
export async function openApiTools(
  document: string | URL | object,
  options: OpenApiOptions = {},
): Promise<OpenApiTool[]> {
  checkOpenApiOptions(options);
  const { baseURL, location, mediaType, include = () => true, onProblem = warn, timeout = TIMEOUT } = options;
  const inTime: typeof fetch = (url, init) =>
    (options.fetch ?? fetch)(url, { ...init, signal: AbortSignal.timeout(timeout) });
  const opened = await OpenApiDocument.open(document, location, inTime, new Origins(options.allow));
  const security = await Security.read(opened, options.credentials ?? {});
  const nameOf = namer();
  const tools: OpenApiTool[] = [];
  for await (const read of readOperations(opened, { baseURL, mediaType, onProblem })) {
    const { operation } = read;
    // Excluded operations get a name too, so that the names do not depend on the selection.
    const name = nameOf(wantedName(operation));
    if (!include(operation)) continue;
    const where = `${operation.method} ${operation.path}`;
    try {
      if (options.credentials && !options.authorize && !security.admits(operation)) {
        throw new OpenApiDocumentError("no-credentials", `It needs credentials of ${security.wanted(operation)}.`);
      }
      const tool = await toTool(name, read, opened, security, options);
      normalizeTools([tool], {
        onProblem: (_, { path, keyword, message }) => {
          const what = [path, keyword, message].filter((part) => part !== "").join(" ");
          onProblem(
            new OpenApiDocumentError("bad-schema", `A part of the schema of ${where} cannot be checked: ${what}`),
          );
        },
      });
      tools.push(tool);
    } catch (error) {
      const isTooLarge = error instanceof ToolDefinitionError && error.code === "limit";
      if (!(error instanceof OpenApiDocumentError) && !isTooLarge) throw error;
      onProblem(new OpenApiDocumentError(error.code, `${where} is omitted. ${error.message}`, { cause: error }));
    }
  }
  return tools;
}

const warn = (problem: OpenApiDocumentError) => console.warn(`[toolingua] ${problem.message}`);

/** An id without any character that is valid in a name (`日本`) is ignored. */
const wantedName = ({ operationId, method, path }: Operation) =>
  operationId !== undefined && /[A-Za-z0-9]/.test(operationId) ? operationId : `${method.toLowerCase()}${path}`;

async function toTool(
  name: string,
  read: ReadOperation,
  document: OpenApiDocument,
  security: Security,
  options: OpenApiOptions,
): Promise<OpenApiTool> {
  const { operation } = read;
  const { parameters, binding } = await argumentsOf(read, document);
  const description = [operation.summary, operation.description].filter(Boolean).join("\n\n");
  const definition: ToolDefinition = { name, ...(description !== "" && { description }), parameters };
  const { authorize, files, fetch: fetched, timeout = TIMEOUT, maxFileBytes, maxResponseBytes } = options;
  const calling = { definition, binding, files, fetched, timeout, maxFileBytes, maxResponseBytes };
  const sign = async (request: ApiRequest) => {
    await security.sign(request, operation);
    await authorize?.(request, operation);
  };
  return {
    ...definition,
    ...(/^(?:GET|HEAD)$/i.test(operation.method) && { readOnly: true }),
    operation,
    call: async (args, { signal } = {}) => await answerFor({ ...calling, sign }, args, signal),
    async execute(args, { signal }: Partial<ToolExecutionContext> = {}) {
      try {
        return await shownTo({ ...calling, sign }, args, signal);
      } catch (error) {
        if (error instanceof OpenApiCallError) return error;
        throw error;
      }
    },
  };
}

/**
 * The schema of the arguments, and the parameter of each. Parameters with equal names are distinguished by their place.
 */
async function argumentsOf({ operation, parameters, body }: ReadOperation, document: OpenApiDocument) {
  const schemas = new ToolSchemas(document);
  const nameOf = namer();
  const properties: Fields = {};
  const required: string[] = [];
  const bound = new Map<string, ReadOperation["parameters"][number]>();
  const add = async (argument: string, part: ReadOperation["parameters"][number] | NonNullable<typeof body>) => {
    const schema = await schemas.convert(part.schema ?? true, part.file);
    properties[argument] = described(schema, part.description);
    if (part.required) required.push(argument);
  };
  const times = new Map<string, number>();
  for (const { name } of parameters) times.set(name, (times.get(name) ?? 0) + 1);
  for (const parameter of parameters) {
    const { name, in: place } = parameter;
    const argument = nameOf(times.get(name)! > 1 ? `${name}_${place}` : name);
    bound.set(argument, parameter);
    await add(argument, parameter);
  }
  const argument = body && nameOf("body");
  if (body && argument !== undefined) await add(argument, body);
  const root = { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
  const binding: Binding = {
    operation,
    parameters: bound,
    body: body && argument !== undefined ? { argument, described: body } : undefined,
  };
  return { parameters: schemas.whole(root), binding };
}

/**
 * The parameter's description overrides that of its schema. Changes the schema in place, since it may not be resolved
 * yet.
 */
function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  if (description === undefined) return schema;
  if (!isObject(schema)) return schema === true ? { description } : schema;
  return Object.assign(schema, { description });
}
