// biome-ignore-all lint/suspicious/noExplicitAny: the methods of any of the engine's objects are wrapped.
type Method = (this: any, ...args: any[]) => any;

/** The steps of a call. `from`: where a pattern's search begins. */
type Cost = (self: any, args: any[], result: any, from: number) => number;

const one: Cost = () => 1;
const all: Cost = ({ length }) => length;
const removed: Cost = ({ length }, _, result) => length - result.length;
const each = (names: string, cost: Cost) => Object.fromEntries(names.split(" ").map((name) => [name, cost]));

const COSTS: [object, Record<string, Cost>][] = [
  [
    String.prototype,
    {
      ...each("charAt charCodeAt codePointAt at startsWith endsWith slice", one),
      ...each("includes toLowerCase split replaceAll normalize", all),
      ...each("trim trimStart trimEnd", removed),
      indexOf: ({ length }, [, from = 0], found) => Math.max(0, (found < 0 ? length : found) - from),
      lastIndexOf: ({ length }, [, from = length], found) => Math.min(length, from) - Math.max(0, found),
    },
  ],
  [
    RegExp.prototype,
    {
      // The methods of texts that take a pattern call this one.
      exec: ({ sticky }, [text], found, from) =>
        found ? found[0].length + (sticky ? 0 : found.index - from) : String(text).length - from,
    },
  ],
  [Array.prototype, each("map filter flatMap some every find findIndex includes indexOf join slice", all)],
  [JSON, { parse: (_, [text]) => String(text).length, stringify: (_, __, text) => String(text).length }],
];

let steps = 0;
let isCounting = false;

/**
 * The work of a function, in steps: the characters that the methods of texts, patterns and JSON pass, and the items that those
 * of lists do. Unlike time, it is the same for the same input. A file that uses this needs a process of its own: from its first
 * use on, the engine's methods are slower.
 *
 * @example workOf(() => "aab".indexOf("b")); // 2
 */
export function workOf(run: () => void): number {
  countMethods();
  const before = steps;
  isCounting = true;
  try {
    run();
  } finally {
    isCounting = false;
  }
  return steps - before;
}

function countMethods(): void {
  for (const [owner, costs] of COSTS.splice(0)) {
    for (const [name, cost] of Object.entries(costs)) {
      const method = Reflect.get(owner, name) as Method;
      Reflect.set(owner, name, function (this: any, ...args: any[]) {
        const from = this?.sticky || this?.global ? this.lastIndex : 0;
        const result = method.apply(this, args);
        if (isCounting) steps += cost(this, args, result, from);
        return result;
      });
    }
  }
}
