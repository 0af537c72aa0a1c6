import { retryAfterMs, serverMessage, shallowJson, whyUnreachable, within } from "@toolingua/core/adapters";
import { AnswerReader } from "./answer/answer-reader.js";
import type { Delta } from "./answer/delta.js";
import type { Deadline } from "./deadline.js";
import { EndpointError } from "./errors.js";
import { checkApiKey, type EndpointOptions } from "./options.js";
import { backoff, isPassing } from "./retry.js";
import { Secrets } from "./secrets.js";
import type { HttpResponse, Transport } from "./transport/transport.js";

/** How many bytes of an error's body are kept. */
const BODY = 65_536;

/** How long the body of an error is read, in ms: its status is enough. */
const REFUSED = 2000;

/** How long to wait for the end of a body after `[DONE]`, in ms: it mostly arrives together with it. */
const DRAIN = 100;

/** How long to wait for usage or `[DONE]` after a complete reply, in ms: they mostly arrive together with its end. */
const AFTER = 1000;

/** Sends the requests of an endpoint, repeats them if that may help, and reads error responses. */
export class Sender {
  readonly #url: URL;
  /** The URL as errors show it. */
  readonly #shown: string;
  readonly #options: EndpointOptions;
  readonly #transport: Transport;
  readonly #retries: { attempts: number; delay: number; maxDelay: number };
  readonly #connectTimeout: number;
  /** Changes to all requests: the server rejected a field before, and accepted the request without it. */
  readonly #changes = new Set<Change>();

  constructor(options: EndpointOptions, path: string, transport: Transport) {
    this.#options = options;
    this.#transport = transport;
    this.#url = new URL(options.baseURL);
    this.#url.pathname = this.#url.pathname.replace(/\/+$/, "") + path;
    this.#shown = this.#url.origin + this.#url.pathname;
    const { attempts = 2, delay = 500, maxDelay = 60_000 } = options.retries ?? {};
    this.#retries = { attempts, delay, maxDelay };
    this.#connectTimeout = options.timeout?.connect ?? 10_000;
  }

  /**
   * Sends a request and returns its answer as soon as the first bytes have arrived.
   *
   * Errors: {@link EndpointError}; the reason for which the call was ended from outside.
   */
  async open(body: Record<string, unknown>, deadline: Deadline): Promise<OpenAnswer> {
    let changed = body;
    const made = new Set(this.#changes);
    for (const change of made) changed = changes[change].apply(changed);
    for (let attempt = 0; ; ) {
      try {
        const answer = await this.#try(changed, deadline);
        for (const change of made) this.#changes.add(change);
        return answer;
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error;
        const change = changeFor(error, changed);
        if (change) {
          made.add(change);
          changed = changes[change].apply(changed);
          continue;
        }
        const wait = error.retryAfterMs ?? backoff(attempt, this.#retries);
        if (!isPassing(error) || attempt >= this.#retries.attempts || wait > this.#retries.maxDelay) throw error;
        // The error tells more than the timeout that would follow.
        if (!deadline.allows(wait)) throw error;
        attempt++;
        await deadline.pause(wait);
      }
    }
  }

  async #try(body: Record<string, unknown>, deadline: Deadline): Promise<OpenAnswer> {
    const { headers } = this.#options;
    const key = await this.#key(deadline);
    const secrets = new Secrets(key, headers, this.#url.searchParams);
    const ended = deadline.follower();
    const request = {
      url: this.#url,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...lowerCase(headers),
      },
      body: JSON.stringify(body),
      signal: ended.signal,
      connectTimeout: this.#connectTimeout,
    };
    let response: HttpResponse;
    let first: IteratorResult<Uint8Array>;
    try {
      response = await deadline.wait(this.#transport(request));
      if (response.status < 200 || response.status > 299) {
        const refusal = await this.#refusal(response, deadline, secrets);
        // An unread rest of the body would block the connection.
        if (!refusal.complete) ended.abort();
        throw refusal.error;
      }
      // Up to here a repetition is possible: nothing has been yielded.
      first = await deadline.wait(response.body.next());
    } catch (error) {
      if (error instanceof EndpointError || deadline.signal.aborted) throw error;
      throw this.#unreachable(error, secrets);
    }
    return new OpenAnswer(response, first, secrets);
  }

  /**
   * The API key. Errors: {@link EndpointError} (`api-key`); `OptionsError` for an invalid key; the reason of an abort.
   */
  async #key(deadline: Deadline): Promise<string | undefined> {
    const { apiKey, headers } = this.#options;
    if (typeof apiKey !== "function") return apiKey === undefined ? undefined : checkApiKey(apiKey);
    let key: string;
    try {
      key = await deadline.until((async () => apiKey())());
    } catch (error) {
      deadline.signal.throwIfAborted();
      const words = error instanceof Error ? `: ${error.message}` : ".";
      const message = new Secrets(undefined, headers, this.#url.searchParams).hide(
        `The function \`apiKey\` gave no key${words}`,
      );
      throw new EndpointError("api-key", message, { cause: error });
    }
    return checkApiKey(key);
  }

  #unreachable(error: unknown, secrets: Secrets): EndpointError {
    const { code, words } = whyUnreachable(error);
    if (/CONNECT_TIMEOUT|ETIMEDOUT/.test(code)) {
      const message = `No connection to ${this.#shown} within ${this.#connectTimeout} ms (timeout.connect).`;
      return new EndpointError("connect-timeout", message, { cause: error });
    }
    if (/^(?:Z_|ERR__)/.test(code)) {
      const message = `The answer of ${this.#shown} cannot be decompressed: ${words}.`;
      return new EndpointError("bad-stream", secrets.hide(message), { cause: error });
    }
    const hint = code === "ECONNREFUSED" ? " Is the server running?" : "";
    return new EndpointError("connect", secrets.hide(`Cannot reach ${this.#shown}: ${words}.${hint}`), {
      cause: error,
    });
  }

  /** Reads an error response. `complete`: its body was read to the end, or closed. */
  async #refusal(response: HttpResponse, deadline: Deadline, secrets: Secrets) {
    const { status, header } = response;
    const { text: body, complete } = await readText(response.body, deadline, secrets);
    // A secret that is escaped in the body appears unescaped in its message.
    const reason = secrets.hide(serverMessage(shallowJson(body)) ?? body.trim()).slice(0, 500);
    const said = `${this.#shown} answered ${status}${reason === "" ? "." : `: ${reason}`}`;
    const hint = secrets.hide(this.#hint(status, header("location")));
    const message = hint === "" ? said : `${/[.!?]$/.test(said) ? said : `${said}.`} ${hint}`;
    const error = new EndpointError("http", message, {
      status,
      body,
      retryAfterMs: retryAfterMs(header),
    });
    return { error, complete };
  }

  #hint(status: number, location: string | undefined): string {
    if (status >= 300 && status < 400)
      return `It redirects to ${location ?? "another address"}: give that as \`baseURL\`.`;
    if (status === 401 && this.#options.apiKey === undefined && !this.#options.headers) return "No `apiKey` was given.";
    const versioned = /\/v\d/.test(this.#url.pathname);
    if (status === 404 && !versioned) return "Most servers have their API under /v1: does `baseURL` lack it?";
    return "";
  }
}

/** An answer whose first bytes have arrived. */
export class OpenAnswer {
  readonly reader: AnswerReader;
  /** The deltas of the first bytes. */
  readonly first: Delta[];
  /** Whether the body was read to its end. */
  ended = false;
  readonly #body: AsyncIterator<Uint8Array>;
  /** How long to wait for data after a complete reply, as a point in time. */
  #until: number | undefined;

  constructor(
    response: HttpResponse,
    first: IteratorResult<Uint8Array>,
    private readonly secrets: Secrets,
  ) {
    this.#body = response.body;
    this.reader = new AnswerReader(secrets);
    this.first = this.#step(first);
  }

  /**
   * The next deltas; `undefined` when the reply is complete. Some servers then keep the connection open, without
   * `[DONE]`: so the wait ends after {@link AFTER}.
   *
   * Errors: {@link EndpointError}; the reason for which the call was ended from outside.
   */
  async next(deadline: Deadline): Promise<Delta[] | undefined> {
    if (this.reader.failure) throw this.secrets.hideIn(this.reader.failure);
    if (this.reader.done || this.ended) return undefined;
    let step: IteratorResult<Uint8Array>;
    try {
      const read = deadline.wait(this.#body.next());
      const next = this.reader.over ? await this.#soon(read) : await read;
      if (next === undefined) return undefined;
      step = next;
    } catch (error) {
      // The reply is complete; only data after it is lost. A timeout does not invalidate the reply.
      if (this.reader.over && (!deadline.signal.aborted || error instanceof EndpointError)) {
        this.ended = !deadline.signal.aborted;
        return undefined;
      }
      if (deadline.signal.aborted) throw error;
      const words = this.secrets.hide(whyUnreachable(error).words);
      throw new EndpointError("cut-off", `The connection broke in the middle of the reply: ${words}.`, {
        cause: error,
      });
    }
    return this.#step(step);
  }

  /** The result of a read, or `undefined` after {@link AFTER}. */
  #soon<T>(read: Promise<T>): Promise<T | undefined> {
    this.#until ??= performance.now() + AFTER;
    return within(this.#until - performance.now(), read);
  }

  #step(step: IteratorResult<Uint8Array>): Delta[] {
    if (!step.done) return this.reader.push(step.value);
    this.ended = true;
    return this.reader.end();
  }

  /** Reads the end of the body after `[DONE]`, so that the connection can be reused. Waits at most {@link DRAIN}. */
  async drain(): Promise<void> {
    const read = async () => {
      while (!this.ended) this.ended = (await this.#body.next()).done === true;
    };
    // A failure now only costs the connection.
    await within(
      DRAIN,
      read().catch(() => {}),
    );
  }
}

/** Changes for servers that reject an optional field, or know it by another name. */
const changes = {
  "without stream_options": {
    field: "stream_options",
    refused: /stream_options|include_usage|continuous_usage_stats/,
    apply: ({ stream_options, ...rest }: Record<string, unknown>) => rest,
  },
  // Some models accept no stop sequences. The endpoint itself cuts the reply as well.
  "without stop": {
    field: "stop",
    refused: /\bstop\b/,
    apply: ({ stop, ...rest }: Record<string, unknown>) => rest,
  },
  max_completion_tokens: {
    field: "max_tokens",
    refused: /max_completion_tokens/,
    apply: ({ max_tokens, ...rest }: Record<string, unknown>) => ({ ...rest, max_completion_tokens: max_tokens }),
  },
} as const;

type Change = keyof typeof changes;

/** The change that an error response calls for, if it was not made yet. */
function changeFor({ code, status, body = "" }: EndpointError, sent: Record<string, unknown>): Change | undefined {
  if (code !== "http" || (status !== 400 && status !== 422)) return undefined;
  const names = Object.keys(changes) as Change[];
  return names.find((name) => changes[name].field in sent && changes[name].refused.test(body));
}

const lowerCase = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * About the first {@link BODY} bytes of a body, with secrets removed before truncation. Reads for at most {@link
 * REFUSED}; `complete` is false if the body had not ended by then.
 */
async function readText(body: AsyncIterator<Uint8Array>, deadline: Deadline, secrets: Secrets) {
  const until = performance.now() + REFUSED;
  const limit = BODY + secrets.longest;
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const step = await within(until - performance.now(), deadline.until(body.next()));
      if (step === undefined) return { text: secrets.hideCut(text), complete: false };
      const { done, value } = step;
      if (done) return { text: secrets.hide(text + decoder.decode()), complete: true };
      text += decoder.decode(value.subarray(0, limit - size), { stream: true });
      size += value.length;
      if (size < limit) continue;
      await body.return?.();
      return { text: secrets.hideCut(text), complete: true };
    }
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    // The status is enough; the text that arrived is kept.
    return { text: secrets.hideCut(text), complete: true };
  }
}
