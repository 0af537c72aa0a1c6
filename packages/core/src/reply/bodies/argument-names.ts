/**
 * The names of Python's arguments in one call, in the order they come: which parameter one without a name stands for,
 * and what Python itself would refuse.
 */
export class ArgumentNames {
  private readonly positional = new Set<string>();
  private named = false;

  constructor(
    /** The parameter at a position; false: there is none so far; undefined: nothing is known. */
    private readonly parameterAt: (position: number) => string | false | undefined,
    private readonly rejected: (reason: string) => void,
  ) {}

  /** A value comes without its name: gives the parameter that the schema has in its place. */
  unnamed(): string {
    const { size } = this.positional;
    const known = this.parameterAt(size);
    if (known === false) this.rejected(size === 0 ? "it takes no arguments" : `it takes ${size} arguments at most`);
    if (this.named) this.rejected("an argument without a name follows one with a name");
    const name = known || `argument${size + 1}`;
    this.positional.add(name);
    return name;
  }

  /** A value comes under this name. */
  name(name: string): void {
    this.named = true;
    if (this.positional.has(name)) this.rejected(`the argument ${JSON.stringify(name)} is given twice`);
  }

  /** An object's keys are the names from here on. */
  unpacked(): void {
    this.named = true;
  }
}
