import { ToolinguaError } from "../errors.js";

/**
 * A schema cannot be converted to JSON Schema. Codes: `unknown-schema` (not a schema of a known kind), `unconvertible`
 * (its library offers no conversion on the schema itself), `unrepresentable` (it requires something that JSON lacks,
 * such as a Map), `too-deep`, `limit` (it is too large, as for {@link ToolDefinitionError}), `invalid-schema` (it is JSON
 * Schema with a mistake). `path` is the JSON pointer of the mistake, where known.
 *
 * @example
 * try { toJsonSchema(z.map(z.string(), z.number())); }
 * catch (error) { if (error instanceof SchemaError && error.code === "unrepresentable") console.error(error.message); }
 */
export class SchemaError extends ToolinguaError {
  static override readonly name: string = "SchemaError";

  readonly path: string | undefined;

  constructor(code: string, message: string, options?: ErrorOptions & { path?: string | undefined }) {
    super(code, message, options);
    this.path = options?.path;
  }
}

/**
 * A tool cannot be offered to a model. Codes: `unknown-shape` (it is not a tool), `missing-name`, `duplicate-name`,
 * `parameters-not-object`, `invalid-schema`, `marker-in-definition`, `limit` (its parameters are nested deeper than 200
 * levels, or have more than 2,000 properties, 1,000 characters in a key, 100 patterns of keys, 256 schemas under
 * `allOf` or 1,000 alternatives in one place, 2 million values in all, or references that exceed the stack). In a conversation
 * also `many-results` (its function returns a generator or a stream) and `unreadable-result` (it returns an object without
 * data, such as a `Response`, or bytes that are no text), which are failed calls. `tool` is its name, or its place in the
 * list (`#2`) if it has none; `path` is the JSON pointer in its parameters, where known.
 *
 * @example
 * try { normalizeTools(tools); }
 * catch (error) { if (error instanceof ToolDefinitionError) console.error(error.tool, error.code); }
 */
export class ToolDefinitionError extends ToolinguaError {
  static override readonly name: string = "ToolDefinitionError";

  readonly tool: string;
  readonly path: string | undefined;

  constructor(code: string, tool: string, message: string, options?: ErrorOptions & { path?: string | undefined }) {
    super(code, message, options);
    this.tool = tool;
    this.path = options?.path;
  }
}

/**
 * An alias cannot be used. Codes: `unknown-tool`, `unknown-parameter` (it is for something that does not exist),
 * `unwritable` (a call cannot contain it), `collision` (it is spelt like another alias, a full name or a reserved
 * word).
 *
 * @example
 * try { renderPrompt({ protocol: laic({ aliases }), messages, tools }); }
 * catch (error) { if (error instanceof AliasError && error.code === "collision") console.error(error.message); }
 */
export class AliasError extends ToolinguaError {
  static override readonly name: string = "AliasError";
}
