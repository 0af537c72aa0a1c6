// A hundred types. Each: its name, how it is declared, and JSON values, of which the compiler says which fit. Where JSON holds
// something else than the value itself (a Date), `fits` says it. `words`: what JSDoc says and a schema should say, too.

const scalars = [
  ["Text", "type Text = string;", ["a", "", 1, null]],
  ["Num", "type Num = number;", [1, -1.5, "1", null]],
  ["Bool", "type Bool = boolean;", [true, false, "true", 0]],
  ["Nothing", "type Nothing = null;", [null, 0, ""]],
  ["Anything", "type Anything = unknown;", [1, "a", null, [1], { a: 1 }]],
  ["One", "type One = 1;", [1, 2, "1"]],
  ["Word", 'type Word = "yes";', ["yes", "no"]],
  ["Unit", 'type Unit = "C" | "F";', ["C", "F", "K", null]],
  ["Level", "type Level = 1 | 2 | 3;", [1, 3, 4, "1"]],
  ["Mixed", 'type Mixed = 1 | "a" | true | null;', [1, "a", true, null, false, 2, "b"]],
  ["Wide", "type Wide = string | number;", ["a", 1, true, null]],
  ["Loose", 'type Loose = "yes" | "no" | (string & {});', ["yes", "other", 1]],
  ["Maybe", "type Maybe = string | null;", ["a", null, 1]],
  [
    "Enum",
    "enum Enum { A, B = 5, C }",
    [],
    [
      [0, true],
      [5, true],
      [6, true],
      [1, false],
      ["A", false],
    ],
  ],
  [
    "TextEnum",
    'enum TextEnum { A = "a", B = "b" }',
    [],
    [
      ["a", true],
      ["b", true],
      ["A", false],
    ],
  ],
  [
    "OneOfEnum",
    'enum Side { L = "l", R = "r" }\ntype OneOfEnum = Side.L;',
    [],
    [
      ["l", true],
      ["r", false],
    ],
  ],
  ["Version", `type Version = \`v\${number}.\${number}\`;`, ["v1.2", "v1", "1.2"]],
  ["Colour", `type Colour = \`#\${string}\`;`, ["#fff", "fff"]],
  ["Corner", `type Corner = \`\${"top" | "bottom"}-\${"left" | "right"}\`;`, ["top-left", "top", "left-top"]],
  ["Upper", 'type Upper = Uppercase<"yes" | "no">;', ["YES", "yes"]],
  [
    "Brand",
    "type Brand = string & { readonly __brand: unique symbol };",
    [],
    [
      ["a", true],
      [1, false],
    ],
  ],
];
const objects = [
  ["Empty", "type Empty = Record<string, never>;", [{}, { a: 1 }]],
  ["Point", "interface Point { x: number; y: number }", [{ x: 1, y: 2 }, { x: 1 }, { x: "1", y: 2 }, null]],
  [
    "Partly",
    "interface Partly { a: string; b?: number }",
    [{ a: "x" }, { a: "x", b: 1 }, { b: 1 }, { a: "x", b: null }],
  ],
  ["OrUndefined", "interface OrUndefined { a: string | undefined }", [{ a: "x" }, { a: 1 }]],
  [
    "Deep",
    "interface Deep { a: { b: { c: string[] } } }",
    [{ a: { b: { c: [] } } }, { a: { b: {} } }, { a: { b: { c: [1] } } }],
  ],
  [
    "Base",
    "interface B0 { id: number }\ninterface Base extends B0 { name: string }",
    [{ id: 1, name: "a" }, { name: "a" }],
  ],
  [
    "Two",
    "interface A1 { a: 1 }\ninterface B1 { b: 2 }\ninterface Two extends A1, B1 { c: 3 }",
    [
      { a: 1, b: 2, c: 3 },
      { a: 1, c: 3 },
    ],
  ],
  ["Both", "type Both = { a: string } & { b: number };", [{ a: "x", b: 1 }, { a: "x" }, { b: 1 }]],
  [
    "Override",
    'type Override = Omit<{ a: string; b: number }, "b"> & { b: "x" };',
    [
      { a: "a", b: "x" },
      { a: "a", b: 1 },
    ],
  ],
  ["ReadOnly", "type ReadOnly = Readonly<{ a: string[] }>;", [{ a: ["x"] }, { a: "x" }]],
  ["Parts", "type Parts = Partial<{ a: string; b: number }>;", [{}, { a: "x" }, { a: 1 }]],
  ["Needed", "type Needed = Required<{ a?: string; b?: number }>;", [{ a: "x", b: 1 }, { a: "x" }]],
  ["Picked", 'type Picked = Pick<{ a: string; b: number; c: boolean }, "a" | "c">;', [{ a: "x", c: true }, { a: "x" }]],
  ["Left", 'type Left = Omit<{ a: string; b: number }, "b">;', [{ a: "x" }, {}]],
  ["Words", "type Words = Record<string, string>;", [{}, { a: "x" }, { a: 1 }]],
  ["ByName", 'type ByName = Record<"a" | "b", number>;', [{ a: 1, b: 2 }, { a: 1 }]],
  ["SomeByName", 'type SomeByName = Partial<Record<"a" | "b", number>>;', [{ a: 1 }, {}, { a: "1" }]],
  ["Index", "interface Index { [key: string]: number }", [{ a: 1 }, { a: "x" }]],
  [
    "Known",
    "interface Known { a: string; [other: string]: string | number }",
    [{ a: "x", b: 1 }, { b: 1 }, { a: "x", b: true }],
  ],
  ["Data", `type Data = { [key: \`data-\${string}\`]: number };`, [{ "data-a": 1 }, { "data-a": "x" }]],
  ["Keys", "type Keys = keyof { a: 1; b: 2 };", ["a", "b", "c"]],
  ["ValueOf", 'type ValueOf = { a: 1; b: 2 }["a" | "b"];', [1, 2, 3]],
  [
    "Getters",
    `type Getters = { [K in "id" | "name" as \`get\${Capitalize<K>}\`]: string };`,
    [{ getId: "a", getName: "b" }, { id: "a" }],
  ],
  [
    "Nullish",
    "type Nullish = { [K in keyof { a: string; b: number }]: { a: string; b: number }[K] | null };",
    [
      { a: null, b: 1 },
      { a: 1, b: null },
    ],
  ],
  ["AnyObject", "type AnyObject = object;", [{}, { a: 1 }, [1], "a", 1]],
  ["Class", "class Class { a = 1; b?: string }", [{ a: 1 }, { a: 1, b: "x" }, { b: "x" }]],
  [
    "Quoted",
    'interface Quoted { "a-b": string; 1: number; "x/y~z"?: boolean }',
    [{ "a-b": "x", 1: 1 }, { "a-b": "x" }, { "a-b": "x", 1: 1, "x/y~z": 1 }],
  ],
  [
    "Constants",
    "const themes = { light: 1, dark: 2 } as const;\ntype Constants = (typeof themes)[keyof typeof themes];",
    [1, 2, 3],
  ],
  [
    "Const",
    'const config = { a: [1, 2], b: "x" };\ntype Const = typeof config;',
    [
      { a: [1], b: "y" },
      { a: ["x"], b: "y" },
    ],
  ],
];
const lists = [
  ["Texts", "type Texts = string[];", [[], ["a"], [1], "a"]],
  ["Rows", "type Rows = number[][];", [[[1]], [1], [["a"]]]],
  ["Pair", "type Pair = [string, number];", [["a", 1], ["a"], [1, "a"], ["a", 1, 2]]],
  ["MaybePair", "type MaybePair = [string, number?];", [["a"], ["a", 1], [], ["a", "b"], ["a", 1, 2]]],
  ["Rest", "type Rest = [string, ...number[]];", [["a"], ["a", 1, 2], [1], ["a", "b"]]],
  ["NoItems", "type NoItems = [];", [[], [1]]],
  ["Ends", "type Ends = [string, ...boolean[], number];", [["a", true, 1], ["a", 1], ["a"], ["a", "b", 1]]],
  [
    "Shared",
    "interface P { x: number }\ntype Shared = { a: P; b: P; c: P[] };",
    [
      { a: { x: 1 }, b: { x: 1 }, c: [] },
      { a: {}, b: { x: 1 }, c: [] },
    ],
  ],
  [
    "ListOfUnions",
    'type ListOfUnions = Array<{ k: "a" } | { k: "b"; n: number }>;',
    [[{ k: "a" }, { k: "b", n: 1 }], [{ k: "b" }]],
  ],
  [
    "Matrix",
    "type Matrix = [[number, number], [number, number]];",
    [
      [
        [1, 2],
        [3, 4],
      ],
      [[1, 2], [3]],
    ],
  ],
  ["ListOrOne", "type ListOrOne = string | string[];", ["a", ["a"], [1], 1]],
];
const unions = [
  [
    "Shape",
    'type Shape = { kind: "circle"; r: number } | { kind: "square"; a: number };',
    [{ kind: "circle", r: 1 }, { kind: "square", a: 1 }, { kind: "circle", a: 1 }, { kind: "other" }],
  ],
  [
    "WithNever",
    'type WithNever = { kind: "a"; x: number; y?: never } | { kind: "b"; y: string };',
    [
      { kind: "a", x: 1 },
      { kind: "b", y: "s" },
      { kind: "a", x: 1, y: "s" },
    ],
  ],
  [
    "Ok",
    "type Ok<T> = { ok: true; value: T } | { ok: false; error: string };\ntype Result = Ok<number>;\ntype OkOf = Result;",
    [
      { ok: true, value: 1 },
      { ok: false, error: "x" },
      { ok: false, value: 1 },
    ],
    undefined,
    "OkOf",
  ],
  ["TextOrObject", "type TextOrObject = string | { text: string };", ["a", { text: "a" }, { text: 1 }]],
  [
    "NumberKinds",
    "type NumberKinds = { v: 1; a: string } | { v: 2; b: string };",
    [
      { v: 1, a: "x" },
      { v: 2, b: "x" },
      { v: 1, b: "x" },
    ],
  ],
  ["Excluded", 'type Excluded = Exclude<"a" | "b" | "c", "b">;', ["a", "b"]],
  ["Extracted", 'type Extracted = Extract<"a" | 1 | true, string>;', ["a", 1]],
  ["Present", "type Present = NonNullable<string | null | undefined>;", ["a", null]],
  [
    "Conditional",
    'type If<T> = T extends string ? { s: T } : { n: T };\ntype Conditional = If<"a" | 1>;',
    [{ s: "a" }, { n: 1 }, { s: 1 }],
  ],
  [
    "Distributed",
    "type Box<T> = T extends unknown ? { value: T } : never;\ntype Distributed = Box<string | number>;",
    [{ value: "a" }, { value: 1 }, { value: true }],
  ],
  [
    "Inferred",
    'type IdOf<T> = T extends { id: infer I } ? I : never;\ntype Inferred = IdOf<{ id: "x" | 7 }>;',
    ["x", 7, "y"],
  ],
  [
    "ReturnOf",
    'const make = () => ({ a: 1, b: ["x"] });\ntype ReturnOf = ReturnType<typeof make>;',
    [
      { a: 1, b: [] },
      { a: "1", b: [] },
    ],
  ],
  [
    "ParamsOf",
    "function call(a: string, b?: number) { return [a, b]; }\ntype ParamsOf = Parameters<typeof call>;",
    [["a"], ["a", 1], [1]],
  ],
  ["AwaitedOf", "type AwaitedOf = Awaited<Promise<{ a: number }>>;", [{ a: 1 }, { a: "1" }]],
];
const generics = [
  [
    "PageOfUsers",
    "interface Page<T> { items: T[]; next?: string }\ninterface PUser { id: number }\ntype PageOfUsers = Page<PUser>;",
    [{ items: [{ id: 1 }] }, { items: [{}] }, { items: [], next: 1 }],
  ],
  [
    "PageOfPages",
    "interface Page2<T> { items: T[] }\ntype PageOfPages = Page2<Page2<string>>;",
    [{ items: [{ items: ["a"] }] }, { items: ["a"] }],
  ],
  [
    "Patch",
    "type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };\ntype Patch = DeepPartial<{ a: { b: number }; c: string }>;",
    [{}, { a: {} }, { a: { b: "x" } }],
  ],
  ["WithDefault", "interface Def<T = string> { v: T }\ntype WithDefault = Def;", [{ v: "a" }, { v: 1 }]],
  [
    "Stamped",
    "type Stamp<T> = T & { at: string };\ntype Stamped = Stamp<{ id: number }>;",
    [{ id: 1, at: "x" }, { id: 1 }],
  ],
  [
    "Flat",
    "type Flatten<T> = { [K in keyof T]: T[K] };\ntype Flat = Flatten<{ a: 1 } & { b: 2 }>;",
    [{ a: 1, b: 2 }, { a: 1 }],
  ],
  [
    "Optionals",
    'type Opt<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;\ntype Optionals = Opt<{ a: string; b: number }, "b">;',
    [{ a: "x" }, { a: "x", b: 1 }, { b: 1 }],
  ],
  [
    "KeysOf",
    "type KeysOfNumbers<T> = { [K in keyof T]: T[K] extends number ? K : never }[keyof T];\ntype KeysOf = KeysOfNumbers<{ a: number; b: string; c: number }>;",
    ["a", "c", "b"],
  ],
];
const recursive = [
  [
    "Tree",
    "interface Tree { label: string; children?: Tree[] }",
    [{ label: "a" }, { label: "a", children: [{ label: "b" }] }, { label: "a", children: [{}] }],
  ],
  [
    "Json",
    "type Json = string | number | boolean | null | Json[] | { [key: string]: Json };",
    [1, [1, { a: null }], { a: { b: [true] } }],
  ],
  [
    "Linked",
    "interface Linked<T> { value: T; next: Linked<T> | null }\ntype LinkedText = Linked<string>;",
    [
      { value: "a", next: null },
      { value: "a", next: { value: 1, next: null } },
    ],
    undefined,
    "LinkedText",
  ],
  [
    "Even",
    "interface Even { odd?: Odd }\ninterface Odd { even?: Even; n: number }",
    [{}, { odd: { n: 1 } }, { odd: {} }, { odd: { n: 1, even: { odd: { n: "x" } } } }],
  ],
  [
    "Expression",
    'type Expression = number | { op: "+" | "*"; left: Expression; right: Expression };',
    [1, { op: "+", left: 1, right: 2 }, { op: "-", left: 1, right: 2 }, { op: "+", left: 1 }],
  ],
  [
    "Menu",
    "type Menu = { name: string; items: Menu[] | null };",
    [
      { name: "a", items: null },
      { name: "a", items: [{ name: "b" }] },
    ],
  ],
];
const dates = [
  [
    "At",
    "type At = Date;",
    [],
    [
      ["2026-01-01T00:00:00.000Z", true],
      ["yesterday", false],
      [5, false],
    ],
  ],
  [
    "Meeting",
    "interface Meeting { start: Date; end?: Date | null }",
    [],
    [
      [{ start: "2026-01-01T00:00:00.000Z" }, true],
      [{ start: "2026-01-01T00:00:00.000Z", end: null }, true],
      [{ start: 5 }, false],
    ],
  ],
  [
    "Days",
    "type Days = Date[];",
    [],
    [
      [["2026-01-01T00:00:00.000Z"], true],
      [["x"], false],
    ],
  ],
];
const documented = [
  [
    "Described",
    "/** Somebody. */\ninterface Described {\n  /** Their full name. */\n  name: string;\n}",
    [{ name: "a" }, {}],
    undefined,
    undefined,
    ["Somebody.", "Their full name."],
  ],
  [
    "Aliased",
    "/** How old somebody is. */\ntype Age = number;\ninterface Aliased {\n  age: Age;\n}",
    [{ age: 1 }, { age: "1" }],
    undefined,
    undefined,
    ["How old somebody is."],
  ],
  [
    "DescribedEnum",
    '/** What it is measured in. */\nenum DescribedEnum {\n  /** Metres. */\n  M = "m",\n  /** Miles. */\n  Mi = "mi",\n}',
    [],
    [
      ["m", true],
      ["x", false],
    ],
    undefined,
    ["What it is measured in.", "Metres."],
  ],
  [
    "Limits",
    "interface Limits {\n  /**\n   * @minimum 0\n   * @maximum 10\n   */\n  n: number;\n}",
    [],
    [
      [{ n: 5 }, true],
      [{ n: 11 }, false],
      [{ n: -1 }, false],
    ],
  ],
  [
    "Lengths",
    "interface Lengths {\n  /**\n   * @minLength 2\n   * @maxLength 3\n   */\n  s: string;\n}",
    [],
    [
      [{ s: "ab" }, true],
      [{ s: "a" }, false],
      [{ s: "abcd" }, false],
    ],
  ],
  [
    "Pattern",
    "interface Pattern {\n  /**\n   * @pattern ^[a-z]+$\n   */\n  s: string;\n}",
    [],
    [
      [{ s: "abc" }, true],
      [{ s: "A" }, false],
    ],
  ],
  [
    "Format",
    "interface Format {\n  /**\n   * @format email\n   */\n  s: string;\n}",
    [],
    [
      [{ s: "a@b.cd" }, true],
      [{ s: "a" }, false],
    ],
  ],
  [
    "Unique",
    "interface Unique {\n  /**\n   * @uniqueItems true\n   */\n  list: number[];\n}",
    [],
    [
      [{ list: [1, 2] }, true],
      [{ list: [1, 1] }, false],
    ],
  ],
];

export const cases = [
  ...scalars,
  ...objects,
  ...lists,
  ...unions,
  ...generics,
  ...recursive,
  ...dates,
  ...documented,
].map(([name, source, values, fits, type = name, words = []]) => ({ name, source, values, fits, type, words }));
