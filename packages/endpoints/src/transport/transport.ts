/** An outgoing request. */
export interface HttpRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ends the request, and so the server's work. */
  signal: AbortSignal;
  /** In ms. */
  connectTimeout: number;
}

/** A response whose body has not been read yet. */
export interface HttpResponse {
  status: number;
  header(name: string): string | undefined;
  /** The body, decompressed. */
  body: AsyncIterator<Uint8Array>;
}

/** Makes a POST request. Rejects if there is no response. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;
