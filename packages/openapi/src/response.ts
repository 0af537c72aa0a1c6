import { jsonOrText, keptJson, unkeptNumber } from "@toolingua/core/adapters";
import { OpenApiCallError } from "./errors.js";
import { type ApiFile, fileName } from "./files.js";
import { isJson } from "./media-types.js";

/** Matches media types of text. */
const TEXT = /^text\/|[/+](json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|jsonl|json-seq|graphql)\b/i;

/** The part of a body that was read. */
interface Body {
  text: string;
  /** A note if the body was truncated. */
  cut: string | undefined;
}

/** The time limit of an answer, in milliseconds. */
export interface TimeLimit {
  late: AbortSignal;
  timeout: number;
}

/** Whether an answer is bytes, not text. */
export function isBinary(response: Response): boolean {
  const type = response.headers.get("content-type") ?? "";
  return type !== "" && !TEXT.test(type) && response.body !== null && response.status !== 204;
}

/** The bytes of an answer, with name and type. Errors: `OpenApiCallError` (`too-large`); those of `fetch`. */
export async function fileFrom(response: Response, limit: number): Promise<ApiFile> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) {
      const message = `The answer is larger than ${limit} bytes, and was not read.`;
      throw new OpenApiCallError("too-large", message, { status: response.status });
    }
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const type = response.headers.get("content-type") ?? undefined;
  return { bytes, type, name: fileName(response.headers.get("content-disposition")) };
}

/**
 * The text in the answer's charset, or the data if it is JSON. A number that JavaScript cannot represent, such as an id of 64
 * bits, is the string of its digits.
 */
export function dataOf({ bytes }: ApiFile, type: string): unknown {
  const text = decoderFor(type).decode(bytes);
  return isJson(type) ? (keptJson(text) ?? text) : text;
}

/**
 * The answer in the form for the model: data if it is JSON whose numbers JavaScript can represent, else text, else a
 * description of the content. Of a body longer than `limit` bytes, only the beginning is read; of an event stream, the events
 * that arrive in time. A note says what is missing.
 */
export async function answerOf(response: Response, limit: number, time: TimeLimit): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || response.status === 204) return `${response.status} ${response.statusText}`.trim();
  if (isBinary(response)) {
    const length = response.headers.get("content-length");
    await response.body.cancel();
    return `[${type}${length === null ? "" : `, ${length} bytes`}: cannot be shown]`;
  }
  const { text, cut } = await read(response, response.body, limit, time);
  if (cut !== undefined) return `${text}\n(cut: ${cut})`;
  if (text === "") return `${response.status} ${response.statusText}`.trim();
  return isJson(type) && unkeptNumber(text) === undefined ? jsonOrText(text) : text;
}

async function read(
  response: Response,
  body: ReadableStream<Uint8Array>,
  limit: number,
  { late, timeout }: TimeLimit,
): Promise<Body> {
  const type = response.headers.get("content-type") ?? "";
  const decoder = decoderFor(type);
  let text = "";
  let left = limit;
  try {
    for await (const chunk of body) {
      // A character that is split by the limit is left out.
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= chunk.length;
      if (left < 0) {
        // Leaving the loop ends the request.
        const length = response.headers.get("content-length") ?? "more";
        return { text, cut: `the first ${limit} bytes of ${length}` };
      }
    }
  } catch (cause) {
    // An event stream may never end.
    if (!late.aborted || text === "" || !/^text\/event-stream\b/i.test(type)) throw cause;
    return { text, cut: `the stream went on for more than ${timeout} ms` };
  }
  return { text: text + decoder.decode(), cut: undefined };
}

function decoderFor(type: string) {
  try {
    return new TextDecoder(/charset="?([^";]+)/i.exec(type)?.[1] ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
}
