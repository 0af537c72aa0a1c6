// A program that loads a package as an ES module and as CommonJS has each of its classes twice.

/** The property with the names of an object's classes, shared by both copies. */
export const CLASS_NAMES = Symbol.for("toolingua.class-names");

interface Class {
  readonly name: string;
  readonly prototype: object;
}

/** The names of an object's classes, from its own to `base`. */
export function classNames(value: object, base: Class): string[] {
  const names: string[] = [];
  for (let at = Object.getPrototypeOf(value) as object | null; at; at = Object.getPrototypeOf(at) as object | null) {
    names.push((at.constructor as Class).name);
    if (at === base.prototype) break;
  }
  return names;
}

/**
 * Implements `instanceof` for the classes from `base` on: an instance of the other copy's class with the same name
 * counts as well. Objects of this copy are checked by prototype only.
 *
 * @example static override readonly [Symbol.hasInstance] = inEitherCopy(() => ToolinguaError);
 */
export const inEitherCopy = (base: () => Class): ((value: unknown) => boolean) =>
  function (this: Class, value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    const isBelow = (above: Class) => Object.prototype.isPrototypeOf.call(above.prototype, value);
    if (isBelow(this) || isBelow(base())) return isBelow(this);
    const names = (value as { [CLASS_NAMES]?: unknown })[CLASS_NAMES];
    return Array.isArray(names) && names.includes(this.name);
  };
