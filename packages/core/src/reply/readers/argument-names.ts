import type { Plan } from "../../schema/plan.js";

/**
 * The argument names of one Python call, in source order: the parameter of each positional argument, and the errors
 * that Python itself would raise.
 */
export class ArgumentNames {
  private readonly positional = new Set<string>();
  private named = false;

  constructor(
    /** The plan of the tool's parameters. */
    private readonly plan: Plan,
    private readonly rejected: (reason: string) => void,
  ) {}

  /** Adds a positional argument, and returns the name of its parameter. */
  unnamed(): string {
    const { size } = this.positional;
    const known = this.parameterAt(size);
    if (known === false) this.rejected(atMost(size));
    if (this.named) this.rejected("an argument without a name follows one with a name");
    const name = known || `argument${size + 1}`;
    this.positional.add(name);
    return name;
  }

  /** The parameter at a position; false: the tool has fewer; undefined: the parameters are unknown. */
  private parameterAt(position: number): string | false | undefined {
    const { kind, properties, schema } = this.plan;
    if (kind !== "object") return undefined;
    const isDeclared = typeof schema === "object" && "properties" in schema;
    return [...properties.keys()][position] ?? (isDeclared ? false : undefined);
  }

  /** Adds a keyword argument. */
  name(name: string): void {
    this.named = true;
    if (this.positional.has(name)) this.rejected(`the argument ${JSON.stringify(name)} is given twice`);
  }

  /** From here on, an object's keys are the names. */
  unpacked(): void {
    this.named = true;
  }
}

const atMost = (count: number): string =>
  count === 0 ? "it takes no arguments" : `it takes at most ${count === 1 ? "1 argument" : `${count} arguments`}`;
