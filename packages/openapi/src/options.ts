import { OptionsError } from "@toolingua/core";
import {
  aFunction,
  anObject,
  aTimer,
  checkOptionNames,
  checkOptionValues,
  describeValue,
  type OptionRule,
  type OptionRules,
  optionsIn,
  wholeFrom,
} from "@toolingua/core/adapters";
import type { Credentials } from "./credentials.js";
import type { OpenApiDocumentError } from "./errors.js";
import type { ApiFiles } from "./files.js";
import type { Operation } from "./operation.js";
import type { ChooseMediaType } from "./operation-body.js";
import type { ApiRequest } from "./request.js";

/** Options for making and calling tools of operations. */
export interface OpenApiOptions {
  /** The base URL of the API. Default: the document's first server. */
  baseURL?: string | URL | undefined;
  /** The location of a document that is given as an object: references to other files are relative to it. */
  location?: string | URL | undefined;
  /**
   * Web origins, such as `https://schemas.example.com`, that the document may refer and redirect to, and that may be
   * its servers even if they are private. Default: the document's own origin.
   */
  allow?: readonly (string | URL)[] | undefined;
  /** Selects the operations that become tools, by `method` (`GET`) and more. Default: all. Models choose better among few. */
  include?: ((operation: Operation) => boolean) | undefined;
  /**
   * Credentials by the names of the document's `securitySchemes`: a token or key, `{ username, password }`, or a
   * function that returns one. An operation that needs others is left out, unless there is `authorize`. Without this option,
   * all operations become tools, and nothing is added to their requests.
   */
  credentials?: Credentials | undefined;
  /** Chooses among a body's media types. Default: JSON before forms before text. */
  mediaType?: ChooseMediaType | undefined;
  /** Reads the files that a model names, and stores those that an API returns. */
  files?: ApiFiles | undefined;
  /** The largest file in bytes. For a larger one, `call` throws. Default: 50000000. */
  maxFileBytes?: number | undefined;
  /**
   * Called with each request before it is sent, for example to sign it. May change all of it. The call throws its
   * errors.
   */
  authorize?: ((request: ApiRequest, operation: Operation) => void | Promise<void>) | undefined;
  /** Also fetches the document. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** The time limit of each answer, and of each file of the document, in milliseconds. Default: 30000. */
  timeout?: number | undefined;
  /** The longest answer for the model in bytes; a longer one is truncated. Default: 100000. */
  maxResponseBytes?: number | undefined;
  /**
   * Called with each problem of an operation. The operation is left out, unless only a part of a schema is invalid.
   * Default: `console.warn`.
   */
  onProblem?: ((problem: OpenApiDocumentError) => void) | undefined;
}

const isWeb = (value: unknown) =>
  (typeof value === "string" || value instanceof URL) && URL.canParse(String(value)) && /^https?:/i.test(String(value));

/** A URL with a name or password is refused by `fetch`, in an error that contains them. Its message may not show the URL. */
const isSecret = (value: unknown) => {
  const { username, password } = new URL(isWeb(value) ? String(value) : "http://none");
  return username + password !== "";
};

const aPlace: OptionRule = {
  takes: (value) => typeof value === "string" || value instanceof URL,
  words: "a string or a URL",
};

const fileRules: OptionRules<ApiFiles> = { read: aFunction, save: aFunction };

const rules: OptionRules<OpenApiOptions> = {
  baseURL: { takes: isWeb, words: "an absolute URL, such as https://api.example.com/v1" },
  location: aPlace,
  allow: { takes: Array.isArray, words: "a list of origins" },
  include: aFunction,
  credentials: anObject,
  mediaType: aFunction,
  files: optionsIn("files", fileRules, anObject.words),
  maxFileBytes: wholeFrom(1),
  authorize: aFunction,
  fetch: aFunction,
  timeout: aTimer,
  maxResponseBytes: wholeFrom(1),
  onProblem: aFunction,
};

/** Errors: `OptionsError` (`bad-option`). */
export function checkOpenApiOptions(options: OpenApiOptions): void {
  checkOptionNames(rules, options, "the options of openApiTools");
  if (isSecret(options.baseURL)) {
    const message = "`baseURL` contains a user name or a password: set `credentials`, or a header in `authorize`.";
    throw new OptionsError("bad-option", message);
  }
  checkOptionValues(rules, options);
  const wrong: unknown = options.allow?.find((origin) => !isWeb(origin));
  if (wrong === undefined) return;
  const message = `\`allow\` lists origins such as "https://schemas.example.com", and ${describeValue(wrong)} is none.`;
  throw new OptionsError("bad-option", message);
}
