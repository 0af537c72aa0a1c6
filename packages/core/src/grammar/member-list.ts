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
  return (list.anyOrder ? new AnyOrder(rules, hint, list) : new InOrder(rules, hint, list)).all();
}

/** The rules by which members may still come and how many there were, as far as that matters. */
abstract class States {
  protected readonly known = new Map<number, string | undefined>();
  protected readonly written: readonly string[];
  protected readonly other: string;
  protected readonly min: number;
  private readonly max: number;
  /** Counts from here on are all the same. */
  protected readonly enough: number;

  constructor(
    protected readonly rules: Rules,
    protected readonly hint: string,
    protected readonly list: MemberList,
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

  /** All members, where none has come. */
  abstract all(): string | undefined;
  /** How many members are left, in a state. */
  protected abstract size(left: number): number;
  /** How many of these are required. */
  protected abstract required(left: number): number;
  /** What may come where some members are left. */
  protected abstract make(left: number, count: number): string | undefined;

  /** What may come where some members are left (as a number) and `count` have come. */
  protected from(left: number, count: number): string | undefined {
    if (!this.isPossible(left, count)) return undefined;
    if (this.size(left) === 0) return this.others(count);
    const key = this.key(left, count);
    if (!this.known.has(key)) this.known.set(key, this.make(left, count));
    return this.known.get(key);
  }

  protected key(left: number, count: number): number {
    return left * (this.enough + 1) + count;
  }

  protected isPossible(left: number, count: number): boolean {
    return count + this.required(left) <= this.max && (this.other !== "" || count + this.size(left) >= this.min);
  }

  protected after(count: number): number {
    return Math.min(count + 1, this.enough);
  }

  /** What may come when no declared member is left; `least` others at the least. */
  protected others(count: number, least = 0): string | undefined {
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

/** What is left is a set of members: a bit for each. */
class AnyOrder extends States {
  private readonly mustCome = this.list.members.reduce((set, { required }, i) => (required ? set | (1 << i) : set), 0);

  all(): string | undefined {
    return this.from(2 ** this.written.length - 1, 0);
  }

  protected size(left: number): number {
    let size = 0;
    for (let rest = left; rest > 0; rest &= rest - 1) size++;
    return size;
  }

  protected required(left: number): number {
    return this.size(left & this.mustCome);
  }

  /** Any one of those left, or one of the others, or the end. */
  protected make(left: number, count: number): string | undefined {
    const options: string[] = [];
    let name: string | undefined;
    for (const [i, written] of this.written.entries()) {
      if (!(left & (1 << i))) continue;
      const rest = this.from(left - (1 << i), this.after(count));
      if (rest !== undefined) options.push(sequence(written, rest));
    }
    if (this.other !== "") {
      if (this.after(count) === count) {
        name = this.rules.reserve(`${this.hint}-rest`);
        this.known.set(this.key(left, count), name);
      }
      const rest = this.from(left, this.after(count));
      if (rest !== undefined) options.push(sequence(this.other, rest));
    }
    const mayEnd = count >= this.min && this.required(left) === 0;
    if (options.length === 0) return mayEnd ? "" : undefined;
    const comma = count === 0 ? "" : this.list.comma;
    const body = repeat(sequence(comma, choice(options)), mayEnd ? 0 : 1, 1);
    if (name === undefined) return this.size(left) > 1 && count > 0 ? this.rules.add(`${this.hint}-rest`, body) : body;
    this.rules.define(name, body);
    return name;
  }
}

/** What is left is the members from one on. */
class InOrder extends States {
  /** How many required ones stand before each, and in all. */
  private readonly before: number[] = [0];

  constructor(rules: Rules, hint: string, list: MemberList) {
    super(rules, hint, list);
    for (const [i, { required }] of list.members.entries()) this.before.push(this.before[i]! + Number(required));
  }

  all(): string | undefined {
    // From the last one on, so that none waits for all that come after it: there may be more than the stack holds.
    if (this.enough === 1) for (let left = this.written.length; left > 0; left--) this.from(left, 1);
    return this.from(0, 0);
  }

  protected size(left: number): number {
    return this.written.length - left;
  }

  protected required(left: number): number {
    return this.before.at(-1)! - this.before[left]!;
  }

  /** The first of those left, or, where it is not required, what comes after it. */
  protected make(left: number, count: number): string | undefined {
    if (count === 0) return this.first();
    const { name, required } = this.list.members[left]!;
    const taken = this.from(left + 1, this.after(count));
    const written = taken === undefined ? undefined : sequence(this.list.comma, this.written[left]!);
    if (this.enough === 1) {
      if (written === undefined) return undefined;
      const body = sequence(repeat(written, required ? 1 : 0, 1), taken!);
      // Behind a required member there is one way to come here only.
      const isShared = this.before[left] === 0;
      return isShared && body !== "" ? this.rules.add(`${this.hint}-from-${name}`, body) : body;
    }
    const skipped = required ? undefined : this.from(left + 1, count);
    const options = [written === undefined ? undefined : sequence(written, taken!), skipped];
    const possible = options.filter((option) => option !== undefined);
    if (possible.length === 0) return undefined;
    return this.rules.add(`${this.hint}-from-${name}`, possible.map((option) => option || '""').join(" | "));
  }

  /** Each member that may be the first one. */
  private first(): string | undefined {
    const options: string[] = [];
    for (const [i, { required }] of this.list.members.entries()) {
      const rest = this.from(i + 1, this.after(0));
      if (rest !== undefined) options.push(sequence(this.written[i]!, rest));
      if (required) return options.length === 0 ? undefined : choice(options);
    }
    const none = this.written.length;
    const others = this.isPossible(none, 0) ? this.others(0, 1) : undefined;
    if (others) options.push(others);
    if (this.min === 0) return options.length === 0 ? "" : repeat(choice(options), 0, 1);
    return options.length === 0 ? undefined : choice(options);
  }
}
