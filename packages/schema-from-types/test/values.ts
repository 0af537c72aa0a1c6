import fc from "fast-check";
import * as hard from "./fixtures/hard-types.js";

// Values of the parameters of every function of the fixture. TypeScript checks that they are of the functions' own types:
// what the compiler takes is what the schemas must take.

type Values = {
  [Name in Exclude<keyof typeof hard, "hidden" | "Unit" | "Priority" | "Side" | "default">]: fc.Arbitrary<
    Parameters<(typeof hard)[Name]>
  >;
} & { main: fc.Arbitrary<Parameters<typeof hard.default>> };

const text = fc.string({ maxLength: 8 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const date = fc.date({ noInvalidDate: true, min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31") });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const unit = fc.constantFrom(hard.Unit.Metre, hard.Unit.Kilometre, hard.Unit.Mile);
const country = fc.record(
  { code: fc.constantFrom("NL" as const, "DE" as const, "FR" as const), name: text },
  { requiredKeys: ["code"] },
);
// Tags such as @minimum ask for more than the type does.
const place = fc.record(
  {
    name: text,
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: number,
    address: fc.record({ street: text, postcode: fc.stringMatching(/^[0-9A-Z]{4}$/), country }),
  },
  { requiredKeys: ["name", "latitude", "longitude"] },
);
const user = fc.record({
  id: number,
  name: text,
  profile: fc.record({ bio: text, age: number }, { requiredKeys: ["bio"] }),
});

const { tree, json, expression } = fc.letrec<{ tree: hard.Tree; json: hard.Json; expression: hard.Expression }>(
  (tie) => ({
    tree: fc.record(
      { label: text, children: fc.array(tie("tree"), { maxLength: 2, depthIdentifier: "tree" }) },
      { requiredKeys: ["label"] },
    ),
    json: fc.oneof(
      { depthSize: "small" },
      fc.oneof(text, number, fc.boolean(), fc.constant(null)),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(text, tie("json"), { maxKeys: 3 }),
    ),
    expression: fc.oneof(
      { depthSize: "small" },
      number,
      fc.record({ op: fc.constantFrom("+" as const, "*" as const), left: tie("expression"), right: tie("expression") }),
    ),
  }),
);

const shape: fc.Arbitrary<hard.Shape> = fc.oneof(
  fc.record({ kind: fc.constant("circle" as const), radius: number }),
  fc.record({ kind: fc.constant("polygon" as const), sides: number, regular: fc.boolean() }),
  fc.record({ kind: fc.constant("path" as const), points: fc.array(fc.tuple(number, number), { maxLength: 3 }) }),
);

const meeting: fc.Arbitrary<hard.Meeting> = fc.record(
  {
    title: text,
    start: date,
    end: fc.option(date),
    link: fc.webUrl().map((url) => new URL(url)),
    repeat: fc.record({ every: number, unit: fc.constantFrom("day" as const, "week" as const) }),
  },
  { requiredKeys: ["title", "start"] },
);

export const values: Values = {
  nearby: fc.tuple(
    place,
    fc.record({ value: number, unit }),
    maybe(number),
    maybe(fc.array(fc.constantFrom("shop" as const, "park" as const))),
  ),
  send: fc.tuple(
    fc.oneof(text, fc.array(text)),
    text,
    maybe(fc.constantFrom(hard.Priority.Low, hard.Priority.Normal, hard.Priority.High)),
  ),
  forecast: fc.tuple(
    fc.record(
      { city: text, days: number, unit: fc.constantFrom("C" as const, "F" as const) },
      { requiredKeys: ["city"] },
    ),
  ),
  search: fc.tuple(
    fc.record(
      {
        query: text,
        depth: number,
        order: fc.constantFrom("relevance" as const, "date" as const),
        filters: fc.record({ author: text, year: number }, { requiredKeys: [] }),
        page: fc.integer({ min: 1 }),
        size: fc.constantFrom(10 as const, 20 as const, 50 as const),
      },
      { requiredKeys: ["query"] },
    ),
  ),
  area: fc.tuple(shape),
  mixed: fc.tuple(
    fc.oneof(text, number, fc.constant(null)),
    fc.oneof(fc.boolean(), fc.constant("auto" as const)),
    fc.constantFrom(1 as const, 2 as const, 3 as const, "max" as const, null),
  ),
  nullable: fc.tuple(fc.option(text), fc.option(place), maybe(fc.option(number)), maybe(text)),
  release: fc.tuple(
    fc.tuple(number, fc.nat()).map(([a, b]): hard.Version => `v${a}.${b}`),
    fc.oneof(
      fc.constantFrom("red" as const, "green" as const),
      text.map((one): hard.Colour => `#${one}`),
    ),
    fc.constantFrom("top-left" as const, "bottom-right" as const),
    maybe(
      fc.oneof(
        text.map((one): hard.Flag => `--${one}`),
        fc.boolean().map((one): hard.Flag => `-a=${one}`),
      ),
    ),
    maybe(text.map((one): `a.b*${string}` => `a.b*${one}`)),
  ),
  shout: fc.tuple(fc.constantFrom("YES" as const, "NO" as const), fc.constantFrom("abc" as Lowercase<string>)),
  line: fc.tuple(
    fc.tuple(number, number),
    fc.oneof(fc.tuple(number, number), fc.tuple(number, number, number)),
    text,
    text,
  ),
  plot: fc.tuple(
    fc.tuple(text, fc.array(number)).map(([first, rest]): [string, ...number[]] => [first, ...rest]),
    fc
      .tuple(text, fc.array(fc.boolean()), number)
      .map(([first, rest, last]): [string, ...boolean[], number] => [first, ...rest, last]),
    fc.constant([] as []),
  ),
  matrix: fc.tuple(fc.array(fc.array(number)), fc.array(fc.array(text)), fc.array(fc.tuple(text, date))),
  schedule: fc.tuple(meeting, maybe(fc.array(date))),
  showPage: fc.tuple(
    fc.record({ items: fc.array(user, { maxLength: 2 }), next: text }, { requiredKeys: ["items"] }),
    fc.record({ items: fc.array(fc.record({ items: fc.array(text) })) }),
  ),
  patchUser: fc.tuple(
    number,
    fc.record({ id: number, profile: fc.record({ age: number }, { requiredKeys: [] }) }, { requiredKeys: [] }),
    fc.record({ id: fc.option(number), name: fc.option(text) }),
  ),
  variants: fc.tuple(
    fc.record({ id: number, name: text }),
    fc.record({ page: fc.integer({ min: 1 }), size: fc.constantFrom(10 as const, 20 as const) }),
    fc.record({ getName: text }),
    fc.constantFrom("id" as const, "name" as const, "profile" as const),
    fc.constantFrom("a" as const, "c" as const),
    text,
  ),
  pluck: fc.tuple(fc.record({ id: text, other: number }), fc.constantFrom("id" as const, "name" as const)),
  firstOf: fc.tuple(fc.array(json), json),
  translate: fc.tuple(
    fc.dictionary(text, text),
    fc.record({ en: fc.dictionary(text, fc.array(text)), nl: fc.dictionary(text, fc.array(text)) }),
  ),
  request: fc.tuple(
    fc.tuple(text, fc.dictionary(text, text)).map(([accept, others]): hard.Headers => ({ ...others, accept })),
    fc.dictionary(
      text.map((one) => `data-${one}` as const),
      number,
    ),
    fc.dictionary(fc.nat().map(String), text),
  ),
  grow: fc.tuple(tree),
  store: fc.tuple(text, json, maybe(tree)),
  evaluate: fc.tuple(expression),
  invite: fc.tuple(
    text.map((one) => one as hard.Email),
    fc.record(
      { name: text, createdAt: date, updatedAt: date, admin: fc.boolean() },
      { requiredKeys: ["name", "createdAt", "admin"] },
    ),
  ),
  suggest: fc.tuple(text),
  log: fc.tuple(json, fc.oneof(fc.array(json), fc.dictionary(text, json)), fc.constant(null), fc.constant(undefined)),
  now: fc.constant([]),
  paint: fc.tuple(
    maybe(fc.constantFrom("light" as const, "dark" as const)),
    maybe(fc.constantFrom(1 as const, 2 as const)),
    fc.constant(undefined),
    maybe(fc.constantFrom("C" as const, "F" as const)),
    maybe(text),
  ),
  resize: fc.tuple(
    fc.tuple(number, number),
    maybe(fc.record({ quality: number, crop: fc.boolean() }, { requiredKeys: [] })),
    maybe(number),
    maybe(fc.array(text)),
    maybe(fc.record({ unit, nested: fc.record({ deep: fc.boolean() }) })),
    maybe(date),
  ),
  handle: fc.tuple(
    fc.record({ type: fc.constantFrom("open" as const, "close" as const), at: date }, { requiredKeys: ["type"] }),
    maybe(number),
  ),
  tuple: fc.oneof(fc.tuple(text), fc.tuple(text, number)),
  main: fc.tuple(maybe(fc.boolean()), maybe(fc.constantFrom("info" as const, "warn" as const))),
};
