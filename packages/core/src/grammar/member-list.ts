import { choice, type Rules, repeat, sequence } from "./rules.js";

/** One member of a list in which each may stand once: an expression for it, and whether it must stand there. */
export interface Member {
  name: string;
  written: string;
  required: boolean;
}

export interface MemberList {
  members: readonly Member[];
  /** An expression for further members, any number of them; empty: there are none. */
  other?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** What stands between two of them. */
  comma: string;
  /** Whether they come in any order: `2 ** members.length` rules. Else in this one: as many rules as members. */
  anyOrder: boolean;
}

/** More rules than that are not worth a count. */
const MOST_STATES = 512;

/** Whether the rules stay few though they count how many members there are. */
export function isCountable({ members, other, min = 0, max, anyOrder }: Omit<MemberList, "comma">): boolean {
  if (members.length === 0) return true;
  const counts = Math.min(max ?? min, members.length + (other ? 64 : 0));
  return (anyOrder ? 2 ** members.length : members.length) * (counts + 1) <= MOST_STATES;
}

/**
 * An expression for the members of an object with what stands between them; undefined where there can be none. In a
 * given order the others come last.
 */
export function memberList(rules: Rules, hint: string, list: MemberList): string | undefined {
  return new States(rules, hint, list).from(
    list.members.map((_, i) => i),
    0,
  );
}

/** The rules by which members may still come and how many there were, as far as that matters. */
class States {
  private readonly known = new Map<string, string | undefined>();
  private readonly written: readonly string[];
  private readonly other: string;
  private readonly min: number;
  private readonly max: number;
  /** Counts from here on are all the same. */
  private readonly enough: number;

  constructor(
    private readonly rules: Rules,
    private readonly hint: string,
    private readonly list: MemberList,
  ) {
    const { members, other = "", min = 0, max = Number.POSITIVE_INFINITY, anyOrder } = list;
    const required = members.filter((member) => member.required).length;
    this.other = other;
    this.min = min > required ? min : 0;
    this.max = other === "" && max >= members.length ? Number.POSITIVE_INFINITY : max;
    this.enough = Number.isFinite(this.max) ? this.max + 1 : Math.max(1, this.min);
    const isShared = anyOrder && members.length > 1;
    this.written = members.map(({ name, written }) =>
      isShared && written.length > 16 ? rules.add(name, written) : written,
    );
  }

  from(left: readonly number[], count: number): string | undefined {
    if (!this.isPossible(left, count)) return undefined;
    if (left.length === 0) return this.others(count);
    const key = `${left.join()} ${count}`;
    if (!this.known.has(key))
      this.known.set(key, this.list.anyOrder ? this.anyOf(left, count, key) : this.inOrder(left, count));
    return this.known.get(key);
  }

  private isPossible(left: readonly number[], count: number): boolean {
    const required = left.filter((i) => this.list.members[i]!.required).length;
    return count + required <= this.max && (this.other !== "" || count + left.length >= this.min);
  }

  private after(count: number): number {
    return Math.min(count + 1, this.enough);
  }

  private comma(count: number): string {
    return count === 0 ? "" : this.list.comma;
  }

  /** Any one of those left, or one of the others, or the end. */
  private anyOf(left: readonly number[], count: number, key: string): string | undefined {
    const options: string[] = [];
    let name: string | undefined;
    for (const i of left) {
      const rest = this.from(
        left.filter((other) => other !== i),
        this.after(count),
      );
      if (rest !== undefined) options.push(sequence(this.written[i]!, rest));
    }
    if (this.other !== "") {
      if (this.after(count) === count) {
        name = this.rules.reserve(`${this.hint}-rest`);
        this.known.set(key, name);
      }
      const rest = this.from(left, this.after(count));
      if (rest !== undefined) options.push(sequence(this.other, rest));
    }
    const mayEnd = count >= this.min && left.every((i) => !this.list.members[i]!.required);
    if (options.length === 0) return mayEnd ? "" : undefined;
    const body = repeat(sequence(this.comma(count), choice(options)), mayEnd ? 0 : 1, 1);
    if (name === undefined) return left.length > 1 && count > 0 ? this.rules.add(`${this.hint}-rest`, body) : body;
    this.rules.define(name, body);
    return name;
  }

  /** The first of those left, or, where it is not required, what comes after it. */
  private inOrder(left: readonly number[], count: number): string | undefined {
    if (count === 0) return this.first(left);
    const [i = 0, ...rest] = left;
    const { name, required } = this.list.members[i]!;
    const taken = this.from(rest, this.after(count));
    const written = taken === undefined ? undefined : sequence(this.list.comma, this.written[i]!);
    if (this.enough === 1) {
      if (written === undefined) return undefined;
      const body = sequence(repeat(written, required ? 1 : 0, 1), taken!);
      // Behind a required member there is one way to come here only.
      const isShared = !this.list.members.slice(0, i).some((member) => member.required);
      return isShared && body !== "" ? this.rules.add(`${this.hint}-from-${name}`, body) : body;
    }
    const skipped = required ? undefined : this.from(rest, count);
    const options = [written === undefined ? undefined : sequence(written, taken!), skipped];
    const possible = options.filter((option) => option !== undefined);
    if (possible.length === 0) return undefined;
    return this.rules.add(`${this.hint}-from-${name}`, possible.map((option) => option || '""').join(" | "));
  }

  /** Each member that may be the first one. */
  private first(left: readonly number[]): string | undefined {
    const options: string[] = [];
    for (const [n, i] of left.entries()) {
      const rest = this.from(left.slice(n + 1), this.after(0));
      if (rest !== undefined) options.push(sequence(this.written[i]!, rest));
      if (this.list.members[i]!.required) return options.length === 0 ? undefined : choice(options);
    }
    const others = this.isPossible([], 0) ? this.others(0, 1) : undefined;
    if (others) options.push(others);
    if (this.min === 0) return options.length === 0 ? "" : repeat(choice(options), 0, 1);
    return options.length === 0 ? undefined : choice(options);
  }

  /** What may come when no declared member is left; `least` others at the least. */
  private others(count: number, least = 0): string | undefined {
    const { other } = this;
    const min = Math.max(least, this.min - count);
    const max = Number.isFinite(this.max) ? this.max - count : undefined;
    if (other === "" || max === 0) return min === 0 ? "" : undefined;
    if (max !== undefined && min > max) return undefined;
    if (count > 0) return repeat(sequence(this.list.comma, other), min, max);
    const more = repeat(
      sequence(this.list.comma, other),
      Math.max(0, min - 1),
      max === undefined ? undefined : max - 1,
    );
    return repeat(sequence(other, more), min === 0 ? 0 : 1, 1);
  }
}
