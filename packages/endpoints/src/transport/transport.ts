/** A request as it goes out. */
export interface HttpRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ends the request, and with it the server's work. */
  signal: AbortSignal;
  /** In ms. */
  connectTimeout: number;
}

/** An answer whose body has not been read yet. */
export interface HttpResponse {
  status: number;
  header(name: string): string | undefined;
  /** The body, decompressed. */
  body: AsyncIterator<Uint8Array>;
}

/** Makes a POST request. Rejects where there is no answer at all. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;
