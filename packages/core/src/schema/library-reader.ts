import { join } from "./json.js";
import type { ValidationIssue } from "./validation-issue.js";

/** A value as its schema reads it, or its issues. */
export type ReadValue = { value: unknown } | { issues: ValidationIssue[] };

/** An issue of Standard Schema. */
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardResult = { readonly value: unknown } | { readonly issues: readonly StandardIssue[] };

/**
 * Reads values with the schema's own library, which fills in defaults, applies transforms and checks what JSON Schema cannot
 * say. A transform that throws makes the value invalid. Undefined for JSON Schema, also for what `z.toJSONSchema` returns.
 *
 * Source: Standard Schema, https://standardschema.dev.
 *
 * @example await libraryReader(z.object({ n: z.number().default(1) }))?.({}); // { value: { n: 1 } }
 */
export function libraryReader(schema: unknown): ((value: unknown) => Promise<ReadValue>) | undefined {
  const standard: { validate?: unknown } | undefined = Object(schema)["~standard"];
  const validate = standard?.validate;
  if (typeof validate !== "function") return undefined;
  return async (value) => {
    try {
      const result: StandardResult = await validate.call(standard, value);
      return "issues" in result && result.issues
        ? { issues: result.issues.map(toIssue) }
        : (result as { value: unknown });
    } catch (error) {
      return { issues: [toIssue({ message: error instanceof Error ? error.message : String(error) })] };
    }
  };
}

/** Converts the path to a JSON pointer. `keyword`: only the library knows which one is violated. */
function toIssue({ path = [], message }: StandardIssue): ValidationIssue {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return { path: join("", ...keys), keyword: "schema", message };
}
