import { choice, type Rules, repeat, sequence } from "./rules.js";

/** A member of a list, which contains it at most once: an expression for the member, and whether it is required. */
export interface Member {
  name: string;
  written: string;
  required: boolean;
}

export interface MemberList {
  members: readonly Member[];
  /** An expression for further members, in any number; empty: there are none. */
  other?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** The separator between two members. */
  comma: string;
  /** Whether members may come in any order, which takes `2 ** members.length` rules. Otherwise one rule per member. */
  anyOrder: boolean;
}

/** The maximum number of rules for a list that counts its members. */
const MAX_STATES = 512;

/** Whether the list can count its members without too many rules. */
export function isCountable({ members, other, min = 0, max, anyOrder }: Omit<MemberList, "comma">): boolean {
  if (members.length === 0) return true;
  const counts = Math.min(max ?? min, members.length + (other ? 64 : 0));
  return (anyOrder ? 2 ** members.length : members.length) * (counts + 1) <= MAX_STATES;
}

/**
 * An expression for the members of an object, with separators; undefined where no members are possible. In a fixed
 * order the other members come last.
 */
export function memberList(rules: Rules, hint: string, list: MemberList): string | undefined {
  return (list.anyOrder ? new AnyOrder(rules, hint, list) : new InOrder(rules, hint, list)).all();
}

/** One rule per state: the members that are left, and the number of members so far, up to where it matters. */
abstract class States {
  protected readonly known = new Map<number, string | undefined>();
  protected readonly written: readonly string[];
  protected readonly other: string;
  protected readonly min: number;
  private readonly max: number;
  /** The count from which on larger counts make no difference. */
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

  /** The expression for all members, before the first one. */
  abstract all(): string | undefined;
  /** The number of members left in a state. */
  protected abstract size(left: number): number;
  /** The number of required members left in a state. */
  protected abstract required(left: number): number;
  /** Builds the expression for a state. */
  protected abstract make(left: number, count: number): string | undefined;

  /** What may follow in a state: `left` encodes the members that are left, `count` is the number of members so far. */
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

  /** What may follow when no declared member is left: other members, at least `least` of them. */
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

/** Members in any order: `left` is a set with one bit per member. */
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

  /** Any member that is left, another key, or the end. */
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

/** Members in a fixed order: `left` is the index of the first member that is left. */
class InOrder extends States {
  /** The number of required members before each index, and in total. */
  private readonly before: number[] = [0];

  constructor(rules: Rules, hint: string, list: MemberList) {
    super(rules, hint, list);
    for (const [i, { required }] of list.members.entries()) this.before.push(this.before[i]! + Number(required));
  }

  all(): string | undefined {
    // Starts at the last member, because a recursion through all members could overflow the stack.
    if (this.enough === 1) for (let left = this.written.length; left > 0; left--) this.from(left, 1);
    return this.from(0, 0);
  }

  protected size(left: number): number {
    return this.written.length - left;
  }

  protected required(left: number): number {
    return this.before.at(-1)! - this.before[left]!;
  }

  /** The first member that is left or, where it is optional, what follows it. */
  protected make(left: number, count: number): string | undefined {
    if (count === 0) return this.first();
    const { name, required } = this.list.members[left]!;
    const taken = this.from(left + 1, this.after(count));
    const written = taken === undefined ? undefined : sequence(this.list.comma, this.written[left]!);
    if (this.enough === 1) {
      if (written === undefined) return undefined;
      const body = sequence(repeat(written, required ? 1 : 0, 1), taken!);
      // After a required member only one path leads here.
      const isShared = this.before[left] === 0;
      return isShared && body !== "" ? this.rules.add(`${this.hint}-from-${name}`, body) : body;
    }
    const skipped = required ? undefined : this.from(left + 1, count);
    const options = [written === undefined ? undefined : sequence(written, taken!), skipped];
    const possible = options.filter((option) => option !== undefined);
    if (possible.length === 0) return undefined;
    return this.rules.add(`${this.hint}-from-${name}`, possible.map((option) => option || '""').join(" | "));
  }

  /** Each member that can come first. */
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
