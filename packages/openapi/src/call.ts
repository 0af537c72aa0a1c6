import { explainInvalidArguments, type ToolDefinition, validateValue } from "@toolingua/core";
import { retryAfterMs, whyUnreachable } from "@toolingua/core/adapters";
import { OpenApiCallError } from "./errors.js";
import { type ApiFiles, withoutBytes } from "./files.js";
import { type ApiRequest, type Binding, requestOf } from "./request.js";
import { answerOf, dataOf, fileFrom, isBinary, type TimeLimit } from "./response.js";
import { send } from "./send.js";

/** How many bytes of an error's body the model is shown. */
const ERROR_BYTES = 4000;
const FILE_BYTES = 50_000_000;

/** The dependencies of a call. */
export interface Calling {
  definition: ToolDefinition;
  binding: Binding;
  files: ApiFiles | undefined;
  fetched: typeof fetch | undefined;
  timeout: number;
  maxFileBytes: number | undefined;
  maxResponseBytes: number | undefined;
  sign(request: ApiRequest): Promise<void>;
}

/** The complete answer of an API. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** Its media type, as the server declares it. */
  mediaType: string;
  /** Parsed JSON, text, or the bytes of any other content. */
  data: unknown;
  /** The file name that the server suggests, if any. */
  fileName?: string;
}

/** Makes the request and returns the complete answer. Errors: `OpenApiCallError`; the signal's reason. */
export async function answerFor(
  calling: Calling,
  args: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<ApiAnswer> {
  return await asked(calling, args, signal, async (response) => {
    const { status, headers } = response;
    const mediaType = headers.get("content-type") ?? "";
    const file = await fileFrom(response, calling.maxFileBytes ?? FILE_BYTES);
    const data = isBinary(response) ? file.bytes : dataOf(file, mediaType);
    return { status, headers, mediaType, data, ...(file.name !== undefined && { fileName: file.name }) };
  });
}

/** Makes the request and returns the answer in the form for the model. Errors: those of {@link answerFor}. */
export async function shownTo(
  calling: Calling,
  args: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { files, binding, maxFileBytes = FILE_BYTES, maxResponseBytes = 100_000 } = calling;
  return await asked(calling, args, signal, async (response, time) => {
    if (!files?.save || !isBinary(response)) return await answerOf(response, maxResponseBytes, time);
    return await files.save(await fileFrom(response, maxFileBytes), binding.operation);
  });
}

async function asked<T>(
  { definition, binding, files, fetched = fetch, timeout, sign }: Calling,
  args: Record<string, unknown>,
  signal: AbortSignal | undefined,
  read: (response: Response, time: TimeLimit) => Promise<T>,
): Promise<T> {
  const { method, path } = binding.operation;
  signal?.throwIfAborted();
  const issues = validateValue(withoutBytes(args), definition.parameters);
  if (issues.length > 0) {
    const { name, parameters: schema } = definition;
    const { feedback } = explainInvalidArguments({ name, arguments: args, issues, schema });
    throw new OpenApiCallError("invalid-arguments", feedback);
  }
  const request = await requestOf(binding, args, files);
  await sign(request);
  // Covers only the API: fetching a token has its own limit.
  const late = AbortSignal.timeout(timeout);
  const time = { late, timeout };
  let response: Response;
  try {
    const until = signal ? AbortSignal.any([signal, late]) : late;
    response = await send(request, fetched, until);
    if (!response.ok) throw await refusal(response, `${method} ${path}`, time);
  } catch (cause) {
    throw failure(cause, `${method} ${path}`, signal, time);
  }
  try {
    return await read(response, time);
  } catch (cause) {
    // Errors of the application's own functions are rethrown unchanged.
    if (late.aborted || signal?.aborted || isOfFetch(cause)) throw failure(cause, `${method} ${path}`, signal, time);
    throw cause;
  }
}

const isOfFetch = (error: unknown) => error instanceof TypeError || error instanceof DOMException;

async function refusal(response: Response, what: string, time: TimeLimit): Promise<OpenApiCallError> {
  const { status, statusText, headers } = response;
  const answer = await answerOf(response, ERROR_BYTES, time);
  const said = typeof answer === "string" ? answer : JSON.stringify(answer);
  const wait = retryAfterMs((name) => headers.get(name) ?? undefined);
  const seconds = wait === undefined ? undefined : Math.ceil(wait / 1000);
  const later = seconds === undefined ? "" : `\nTry again after ${seconds} seconds.`;
  const line = `${status} ${statusText}`.trim();
  const message = `${what} answered ${line}${said === line ? "." : `:\n${said}`}${later}`;
  return new OpenApiCallError("http-status", message, { status, retryAfterMs: wait });
}

function failure(cause: unknown, what: string, signal: AbortSignal | undefined, { late, timeout }: TimeLimit): unknown {
  if (cause instanceof OpenApiCallError) return cause;
  if (signal?.aborted) return signal.reason;
  if (late.aborted) {
    return new OpenApiCallError("timeout", `${what} did not answer within ${timeout} ms.`, { cause });
  }
  return new OpenApiCallError("unreachable", `${what} did not answer: ${whyUnreachable(cause).words}`, { cause });
}
