import { nearestNames, OptionsError } from "@toolingua/core";
import { isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import type { Fields } from "./fields.js";
import type { Operation } from "./operation.js";
import type { ApiRequest } from "./request.js";

/** A token or key, or a name and a password. */
export type Credential = string | { username: string; password: string };

/** Credentials by the names of the document's `securitySchemes`; a function is asked for each request. */
export type Credentials = Readonly<
  Record<string, Credential | ((operation: Operation) => Credential | Promise<Credential>)>
>;

/** A way to show who asks, as the document declares it. */
interface Scheme {
  type: string;
  /** Of an `apiKey`. */
  name: string;
  in: string;
  /** Of `http`: `basic`, `bearer`, … */
  scheme: string;
}

/** The credentials that a document's operations want. */
export class Security {
  readonly #schemes: ReadonlyMap<string, Scheme>;
  readonly #credentials: Credentials;

  private constructor(schemes: ReadonlyMap<string, Scheme>, credentials: Credentials) {
    this.#schemes = schemes;
    this.#credentials = credentials;
  }

  /** Errors: `OptionsError` (`bad-option`) for credentials of a scheme that the document does not have. */
  static async read(document: OpenApiDocument, credentials: Credentials): Promise<Security> {
    const { components } = document.root;
    const declared = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
    const schemes = new Map<string, Scheme>();
    for (const [name, given] of Object.entries(declared)) {
      const { value } = await document.follow(given, document.file);
      if (isObject(value)) schemes.set(name, schemeOf(value));
    }
    const unknown = Object.keys(credentials).find((name) => !schemes.has(name));
    if (unknown !== undefined) {
      const names = [...schemes.keys()];
      const { meant } = nearestNames(unknown, names);
      const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
      const known = names.length === 0 ? "none" : names.join(", ");
      const message = `The document has no security scheme "${unknown}", of which \`credentials\` are given.${hint} It has ${known}.`;
      throw new OptionsError("bad-option", message);
    }
    for (const [name, given] of Object.entries(credentials)) if (typeof given !== "function") checked(given, name);
    return new Security(schemes, credentials);
  }

  /** Whether there is what the operation needs. */
  admits(operation: Operation): boolean {
    return this.#chosen(operation) !== undefined;
  }

  /** Puts the credentials into the request. Errors: what a function that is asked for them throws. */
  async sign(request: ApiRequest, operation: Operation): Promise<void> {
    for (const name of this.#chosen(operation) ?? []) {
      const given = this.#credentials[name]!;
      const credential = typeof given === "function" ? await given(operation) : given;
      apply(request, this.#schemes.get(name)!, checked(credential, name));
    }
  }

  /** The first set of schemes of which all are known. */
  #chosen({ security }: Operation): string[] | undefined {
    if (security.length === 0) return [];
    const isGiven = (name: string) =>
      Object.hasOwn(this.#credentials, name) && this.#schemes.get(name)?.type !== "mutualTLS";
    return security.map((set) => Object.keys(set)).find((names) => names.every(isGiven));
  }
}

/** Errors: `OptionsError` (`bad-option`). */
function checked(credential: Credential, name: string): Credential {
  const { username, password } = Object(credential) as Record<string, unknown>;
  if (typeof credential === "string" || (typeof username === "string" && typeof password === "string"))
    return credential;
  const message = `The credential of "${name}" is a string, or { username, password } with two of them.`;
  throw new OptionsError("bad-option", message);
}

function schemeOf({ type, name, in: place, scheme }: Fields): Scheme {
  return { type: String(type), name: String(name), in: String(place), scheme: String(scheme ?? "bearer") };
}

function apply({ headers, url }: ApiRequest, scheme: Scheme, credential: Credential): void {
  const text = typeof credential === "string" ? credential : base64(`${credential.username}:${credential.password}`);
  if (scheme.type === "apiKey") {
    const { name } = scheme;
    if (scheme.in === "query") {
      // Not by `searchParams`, which writes all others anew.
      const pair = `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
      url.search = [...without(name, url.search.slice(1), "&"), pair].join("&");
    } else if (scheme.in === "cookie") {
      const pair = `${name}=${encodeURIComponent(text)}`;
      headers.set("cookie", [...without(name, headers.get("cookie") ?? "", ";"), pair].join("; "));
    } else headers.set(scheme.name, text);
    return;
  }
  const isBasic = scheme.type === "http" && scheme.scheme.toLowerCase() === "basic";
  // Of a name and a password that are one text, `ann:secret`.
  const token = isBasic && typeof credential === "string" ? base64(credential) : text;
  const word = scheme.type === "http" ? capitalized(scheme.scheme) : "Bearer";
  headers.set("authorization", `${word} ${token}`);
}

/** The pairs of a query or a cookie but those of a name, which a server might read in the place of the credential. */
const without = (name: string, pairs: string, separator: string): string[] =>
  pairs
    .split(separator)
    .map((pair) => pair.trim())
    .filter((pair) => {
      const [written = ""] = pair.split("=", 1);
      // As a form's name, `+` and `%20` alike.
      const [read] = new URLSearchParams(written).keys();
      return pair !== "" && written.trim() !== name && read !== name;
    });

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const base64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
