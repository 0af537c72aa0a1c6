import { ToolinguaError } from "@toolingua/core";

/** A position in the text of a document. */
export interface PmlPosition {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  /** From 0, in UTF-16 units. */
  offset: number;
}

/** See {@link PmlSyntaxError}. */
export type PmlSyntaxErrorCode = "syntax" | "forbidden" | "structure" | "limit";

/**
 * Text that is not PML. Codes: `syntax` (not well-formed XML), `forbidden` (a DTD, an entity other than the five of
 * XML), `structure` (elements, attributes or values that PML does not have), `limit` (too long, too deep, too many
 * attributes). `message` begins with line and column and says what would be right.
 *
 * @example
 * try { parsePml("<pml version='1'><memory><fakt/></memory></pml>"); }
 * catch (error) { if (error instanceof PmlSyntaxError) console.error(error.message); }
 * // 1:26: <fakt> is not allowed in <memory>. Did you mean fact? Allowed: <fact>, <summary>.
 */
export class PmlSyntaxError extends ToolinguaError {
  static override readonly name: string = "PmlSyntaxError";

  readonly position: PmlPosition;

  constructor(code: PmlSyntaxErrorCode, message: string, position: PmlPosition) {
    super(code, `${position.line}:${position.column}: ${message}`);
    this.position = position;
  }

  get line(): number {
    return this.position.line;
  }

  get column(): number {
    return this.position.column;
  }
}

/**
 * A tree that is not a document (`bad-tree`), or data that is not in the expected format (`bad-format`). `path` is the
 * JSON pointer to the problem.
 *
 * @example
 * try { stringifyPml(JSON.parse(stored)); }
 * catch (error) { if (error instanceof PmlTreeError) console.error(error.path, error.message); }
 */
export class PmlTreeError extends ToolinguaError {
  static override readonly name: string = "PmlTreeError";

  readonly path: string;

  constructor(code: "bad-tree" | "bad-format", path: string, message: string) {
    super(code, `${path || "The value"}: ${message}`);
    this.path = path;
  }
}

/**
 * A place that does not exist (`not-found`), exists more than once (`ambiguous`), is not a valid place (`bad-place`),
 * or cannot contain the node (`wrong-place`). For `prunePml`: the content that must always be kept exceeds the limit
 * (`over-limit`).
 *
 * @example
 * try { removeFromPml(document, "#plan"); }
 * catch (error) { if (error instanceof PmlEditError && error.code === "not-found") console.error(error.message); }
 */
export class PmlEditError extends ToolinguaError {
  static override readonly name: string = "PmlEditError";
}
