import type { Plan } from "../../schema/plan.js";
import type { ValidationIssue } from "../../schema/validation-issue.js";
import type { Repair, RepairCode } from "../../types.js";

const NONE: ReadonlyMap<string, Plan> = new Map();

/** The distance between a text and the literal of JSON that it is. */
const LITERAL = 0.001;

/** The repairs of one call; each is noted once per place. */
export class Repairs {
  private byKey: Map<string, Repair> | undefined;
  /** Problems that cannot be repaired because the call has two readings: the call does not run. */
  readonly issues: ValidationIssue[] = [];
  /** Their places. */
  private refused: Set<string> | undefined;
  private lost: Map<string, Plan> | undefined;
  /** The dropped arguments whose keys name a tool elsewhere: it may be another one. */
  droppedNames: [key: string, value: unknown][] | undefined;

  /** How far a value is from what was written. A text that is a literal of JSON is nearer to it than to anything else. */
  distance = 0;

  /**
   * Notes a repair; `path` is a JSON pointer, empty for the call as a whole. `isLiteral`: it reads a text as the literal of
   * JSON that the text is.
   */
  add(code: RepairCode, path: string, isLiteral = false): void {
    const key = `${code} ${path}`;
    this.byKey ??= new Map();
    if (this.byKey.has(key)) return;
    this.byKey.set(key, path === "" ? { code } : { code, path });
    this.distance += isLiteral ? LITERAL : 1;
  }

  /** Notes a problem at a JSON pointer that cannot be repaired. */
  refuse(message: string, path: string): void {
    if (this.refuses(path)) return;
    this.refused ??= new Set();
    this.refused.add(path);
    this.issues.push({ path, keyword: "json", message });
  }

  /** Notes the problems of another reading. */
  refuseAll({ issues }: Repairs): void {
    for (const { message, path } of issues) this.refuse(message, path);
  }

  /** Whether there is such a problem at a path. */
  refuses(path: string): boolean {
    return this.refused?.has(path) ?? false;
  }

  /** Whether there is a repair with this code, at any place. */
  has(code: RepairCode): boolean {
    return this.list().some((repair) => repair.code === code);
  }

  addAll(repairs: Repairs): void {
    const distance = this.distance + repairs.distance;
    for (const { code, path } of repairs.list()) this.add(code, path ?? "");
    this.distance = distance;
    for (const named of repairs.droppedNames ?? []) this.dropName(...named);
    for (const [path, plan] of repairs.losses) this.lose(path, plan);
  }

  /** Notes that a value was dropped that said something. `plan`: that of the object around it. */
  lose(path: string, plan: Plan): void {
    this.lost ??= new Map();
    this.lost.set(path, plan);
  }

  /** Notes such an argument. */
  dropName(key: string, value: unknown): void {
    this.droppedNames ??= [];
    this.droppedNames.push([key, value]);
  }

  /** The places of values that were dropped and said something, with the plans of the objects around them. */
  get losses(): ReadonlyMap<string, Plan> {
    return this.lost ?? NONE;
  }

  get size(): number {
    return this.byKey?.size ?? 0;
  }

  list(): Repair[] {
    return this.byKey ? [...this.byKey.values()] : [];
  }
}
