import { isJson } from "./media-types.js";

/** What of a body is text. */
const TEXT = /^text\/|[/+](json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)\b/i;

/** A body as far as it was read. */
interface Body {
  text: string;
  /** What is said where it was not all read. */
  cut: string | undefined;
}

/** The time for an answer: when it is over, in milliseconds. */
interface Time {
  late: AbortSignal;
  timeout: number;
}

/**
 * What a model is shown of an answer: the data where it is JSON, else the text, and of what is no text what it is. Of a
 * body that is longer than `limit` bytes only the beginning is read, and of a stream of events what came in time; that is
 * said.
 */
export async function answerOf(response: Response, limit: number, time: Time): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || response.status === 204) return `${response.status} ${response.statusText}`.trim();
  if (type !== "" && !TEXT.test(type)) {
    const length = response.headers.get("content-length");
    await response.body.cancel();
    return `[${type}${length === null ? "" : `, ${length} bytes`}: cannot be shown]`;
  }
  const { text, cut } = await read(response, response.body, limit, time);
  if (cut !== undefined) return `${text}\n(cut: ${cut})`;
  if (text === "") return `${response.status} ${response.statusText}`.trim();
  if (!isJson(type)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function read(
  response: Response,
  body: ReadableStream<Uint8Array>,
  limit: number,
  { late, timeout }: Time,
): Promise<Body> {
  const type = response.headers.get("content-type") ?? "";
  const decoder = decoderFor(type);
  let text = "";
  let left = limit;
  try {
    for await (const chunk of body) {
      // A character that is cut in two is left out.
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= chunk.length;
      if (left < 0) {
        // Leaving the loop ends the request.
        const length = response.headers.get("content-length") ?? "more";
        return { text, cut: `the first ${limit} bytes of ${length}` };
      }
    }
  } catch (cause) {
    // Events may come for ever.
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
