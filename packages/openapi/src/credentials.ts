import { OptionsError } from "@toolingua/core";
import { base64Of, didYouMean, isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import type { Fields } from "./fields.js";
import { TOKEN } from "./notation.js";
import type { Operation } from "./operation.js";
import type { ApiRequest } from "./request.js";

/** A token or key, or a name and a password. */
export type Credential = string | { username: string; password: string };

/** Credentials by the names of the document's `securitySchemes`. A function is called for each request. */
export type Credentials = Readonly<
  Record<string, Credential | ((operation: Operation) => Credential | Promise<Credential>)>
>;

/** An authentication scheme, as the document declares it. */
interface Scheme {
  type: string;
  /** The parameter name of an `apiKey`. */
  name: string;
  in: string;
  /** The scheme of `http`: `basic`, `bearer`, … */
  scheme: string;
}

/** The credentials for a document's operations. */
export class Security {
  readonly #schemes: ReadonlyMap<string, Scheme>;
  readonly #credentials: Credentials;

  private constructor(schemes: ReadonlyMap<string, Scheme>, credentials: Credentials) {
    this.#schemes = schemes;
    this.#credentials = credentials;
  }

  /** Errors: `OptionsError` (`bad-option`) for credentials of an undeclared scheme. */
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
      const hint = didYouMean(unknown, [...schemes.keys()]);
      const message = `\`credentials\` names the security scheme "${unknown}", which the document lacks. ${hint}`;
      throw new OptionsError("bad-option", message);
    }
    for (const [name, given] of Object.entries(credentials)) if (typeof given !== "function") checked(given, name);
    return new Security(schemes, credentials);
  }

  /** Whether the credentials that an operation needs are available. */
  admits(operation: Operation): boolean {
    return this.#chosen(operation) !== undefined;
  }

  /** The sets of schemes of which an operation needs one, in words. */
  wanted({ security }: Operation): string {
    const named = (name: string) => {
      const scheme = this.#schemes.get(name);
      if (!scheme) return `${name} (which the document does not declare)`;
      return isSendable(scheme) ? name : `${name} (which cannot be sent as the document says)`;
    };
    return security.map((set) => Object.keys(set).map(named).join(" and ")).join(", or ");
  }

  /**
   * Adds the credentials to the request. Errors: those of a function that returns credentials; `OptionsError` (`bad-option`)
   * for a credential that a header cannot carry.
   */
  async sign(request: ApiRequest, operation: Operation): Promise<void> {
    for (const name of this.#chosen(operation) ?? []) {
      const given = this.#credentials[name]!;
      const credential = typeof given === "function" ? await given(operation) : given;
      try {
        apply(request, this.#schemes.get(name)!, checked(credential, name));
      } catch (error) {
        if (error instanceof OptionsError) throw error;
        // The error of `fetch` contains the credential, and the model may be shown it.
        const message = `The credential of "${name}" contains a character that no header can carry, such as a line break.`;
        throw new OptionsError("bad-option", message);
      }
    }
  }

  /** The first set of schemes whose credentials are all available. */
  #chosen({ security }: Operation): string[] | undefined {
    if (security.length === 0) return [];
    const isGiven = (name: string) => {
      const scheme = this.#schemes.get(name);
      return Object.hasOwn(this.#credentials, name) && scheme !== undefined && isSendable(scheme);
    };
    return security.map((set) => Object.keys(set)).find((names) => names.every(isGiven));
  }
}

/** Errors: `OptionsError` (`bad-option`). */
function checked(credential: Credential, name: string): Credential {
  const { username, password } = Object(credential) as Record<string, unknown>;
  // An environment variable that is not set is an empty string.
  if (credential === "") throw new OptionsError("bad-option", `The credential of "${name}" is empty.`);
  if (credential == null) throw new OptionsError("bad-option", `The credential of "${name}" is not set.`);
  if (typeof credential === "string" || (typeof username === "string" && typeof password === "string"))
    return credential;
  const message = `The credential of "${name}" is a string, or { username, password } with two of them.`;
  throw new OptionsError("bad-option", message);
}

/** Whether requests can have the credential where the document wants it. */
function isSendable({ type, in: place, name, scheme }: Scheme): boolean {
  if (type === "apiKey")
    return place === "query" ? name !== "" : ["header", "cookie"].includes(place) && TOKEN.test(name);
  return type === "http" ? TOKEN.test(scheme) : type !== "mutualTLS";
}

function schemeOf({ type, name, in: place, scheme }: Fields): Scheme {
  return {
    type: String(type),
    name: typeof name === "string" ? name : "",
    in: String(place),
    scheme: String(scheme ?? "bearer"),
  };
}

function apply({ headers, url }: ApiRequest, scheme: Scheme, credential: Credential): void {
  const text = typeof credential === "string" ? credential : base64(`${credential.username}:${credential.password}`);
  if (scheme.type === "apiKey") {
    const { name } = scheme;
    if (scheme.in === "query") {
      // `searchParams` would re-encode all other parameters.
      const pair = `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
      url.search = [...without(name, url.search.slice(1), "&"), pair].join("&");
    } else if (scheme.in === "cookie") {
      const pair = `${name}=${encodeURIComponent(text)}`;
      headers.set("cookie", [...without(name, headers.get("cookie") ?? "", ";"), pair].join("; "));
    } else headers.set(scheme.name, text);
    return;
  }
  const word = scheme.type === "http" ? capitalized(scheme.scheme) : "Bearer";
  const hasWord = text.slice(0, word.length + 1).toLowerCase() === `${word} `.toLowerCase();
  const token = hasWord ? text.slice(word.length + 1) : text;
  // A name and a password in one text, `ann:secret`. After the word it may be encoded already.
  const isPair = word.toLowerCase() === "basic" && typeof credential === "string" && (!hasWord || token.includes(":"));
  headers.set("authorization", `${word} ${isPair ? base64(token) : token}`);
}

/** The pairs of a query or a cookie without those of a name, which a server might read instead of the credential. */
const without = (name: string, pairs: string, separator: string): string[] =>
  pairs
    .split(separator)
    .map((pair) => pair.trim())
    .filter((pair) => {
      const [written = ""] = pair.split("=", 1);
      // Decoded like a form's name: `+` and `%20` are equal.
      const [read] = new URLSearchParams(written).keys();
      return pair !== "" && written.trim() !== name && read !== name;
    });

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const base64 = (text: string) => base64Of(new TextEncoder().encode(text));
