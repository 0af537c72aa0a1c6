import { describe, expect, it } from "vitest";
import { createReplyParser, parseReply } from "../../parse.js";
import { parseToolCallArguments, ToolArgumentsError, validateArguments } from "../../providers/index.js";
import { collectReply } from "../parse-reply.js";

const place = { type: "object", properties: { city: { type: "string" } }, additionalProperties: false };
const tools = [{ name: "find", parameters: { ...place, properties: { ...place.properties, near: place } } }];
const reply = (args: object) => `<tool_call>\n${JSON.stringify({ name: "find", arguments: args })}\n</tool_call>`;

it.each([
  [{ zone: "x" }, "zone"],
  [{ zone: "x", town: "y" }, "zone"],
  [{ city: "Oslo", near: { zone: "x" } }, "zone"],
])("a call does not run if dropping keys would leave an object empty: %j", (args, key) => {
  const options = { tools, protocol: "hermes" } as const;
  const { toolCalls, invalidToolCalls } = parseReply(reply(args), options);
  expect(toolCalls).toEqual([]);
  expect(invalidToolCalls).toMatchObject([{ name: "find", error: { code: "invalid-arguments" } }]);
  expect(invalidToolCalls[0]?.error.feedback).toContain(`"${key}" is not a known key. There `);
  const parser = createReplyParser(options);
  const events = [...reply(args)].flatMap((character) => [...parser.push(character)]);
  expect(collectReply([...events, ...parser.end()]).toolCalls).toEqual([]);
  expect(() => parseToolCallArguments(tools[0] ?? { name: "" }, JSON.stringify(args), "openai")).toThrow(
    ToolArgumentsError,
  );
});

it("an unknown key next to a declared one is dropped, and an object that was empty stays empty", () => {
  const read = (args: object) => parseReply(reply(args), { tools, protocol: "hermes" }).toolCalls[0]?.arguments;
  expect(read({ city: "Oslo", zone: "x" })).toEqual({ city: "Oslo" });
  expect(read({})).toEqual({});
  expect(read({ near: {} })).toEqual({ near: {} });
});

const none = { type: "object", properties: {}, additionalProperties: false };

it.each([
  ["a tool without parameters has nothing to lose", none, { zone: "UTC" }],
  ["a tool without parameters has nothing to lose", none, { reason: null }],
  ["null means that the argument is omitted", place, { zone: null }],
  ["an empty value says nothing", place, { zone: "", other: {}, third: [] }],
])("%s: %j takes %j", (_, parameters, args) => {
  const tool = { name: "find", parameters };
  const { toolCalls, invalidToolCalls } = parseReply(reply(args), { tools: [tool], protocol: "hermes" });
  expect([toolCalls.map((call) => call.arguments), invalidToolCalls]).toEqual([[{}], []]);
  const codes = Object.keys(args).map((key) => ({ code: "dropped-key", path: `/${key}` }));
  expect(toolCalls[0]?.repairs).toEqual(codes);
  for (const [provider, given] of [
    ["openai", JSON.stringify(args)],
    ["anthropic", args],
  ] as const) {
    expect(parseToolCallArguments(tool, given, provider)).toEqual({ arguments: {}, repairs: codes });
  }
});

it("false and 0 are values: they are not dropped for an empty call", () => {
  for (const zone of [false, 0]) {
    expect(parseReply(reply({ zone }), { tools, protocol: "hermes" }).toolCalls).toEqual([]);
  }
});

const open = { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } };

it.each([
  [{ town: "Oslo" }, false],
  [{ town: "Oslo", zone: 1 }, false],
  [{ town: "" }, true],
  [{ town: "Oslo", days: 1 }, true],
  [{}, true],
])("arguments of which the schema declares none do not run, unless they say nothing: %j", (args, runs) => {
  const tool = { name: "find", parameters: open };
  const { toolCalls, invalidToolCalls } = parseReply(reply(args), { tools: [tool], protocol: "hermes" });
  expect(toolCalls).toHaveLength(runs ? 1 : 0);
  if (!runs) expect(invalidToolCalls).toMatchObject([{ error: { code: "invalid-arguments", ambiguous: true } }]);
  const read = () => parseToolCallArguments(tool, args, "anthropic");
  if (runs) expect(read().arguments).toEqual(args);
  else expect(read).toThrow(ToolArgumentsError);
});

const copy = { type: "object", properties: { path: { type: "string" }, dry_run: { type: "boolean" } } };
const copies = { type: "object", properties: { one: copy, all: { type: "array", items: copy } } };

it.each([
  [copy, { path: "/a", dry_rn: true }],
  [
    { ...copy, required: ["path"] },
    { path: "/a", dry_rn: true },
  ],
  [copies, { one: { path: "/a", dry_rn: true } }],
  [copies, { all: [{ path: "/a" }, { path: "/b", dry_rn: true }] }],
])("a key that is nearly one that is not set is refused, although others may be given: %#", (parameters, args) => {
  const tool = { name: "find", parameters };
  const { toolCalls, invalidToolCalls } = parseReply(reply(args), { tools: [tool], protocol: "hermes" });
  expect(toolCalls).toEqual([]);
  expect(invalidToolCalls[0]?.error.feedback).toContain('is not a known key. Did you mean "dry_run"?');
  expect(() => parseToolCallArguments(tool, args, "anthropic")).toThrow(ToolArgumentsError);
});

it.each([
  [copy, { path: "/a", reason: "to see" }],
  [copy, { path: "/a", dry_run: true, dry_rn: true }],
  [
    { ...copy, additionalProperties: true },
    { path: "/a", dry_rn: true },
  ],
  [copies, { one: { path: "/a", reason: "to see" } }],
])("any other key is given to a tool that may take others: %#", (parameters, args) => {
  const tool = { name: "find", parameters };
  expect(parseReply(reply(args), { tools: [tool], protocol: "hermes" }).toolCalls).toMatchObject([{ arguments: args }]);
});

it.each([
  { ...open, additionalProperties: true },
  { ...open, patternProperties: { "^t": {} } },
  { ...open, anyOf: [{ properties: { town: {} } }, {}] },
  { type: "object", properties: {} },
])("a schema may leave other keys open: %j", (parameters) => {
  const tool = { name: "find", parameters };
  expect(parseReply(reply({ town: "Oslo" }), { tools: [tool], protocol: "hermes" }).toolCalls).toHaveLength(1);
});

it("the feedback on an unknown key names the one that was probably meant", () => {
  const [call] = parseReply(reply({ citty: "Oslo" }), { tools, protocol: "hermes" }).invalidToolCalls;
  expect(call?.error.feedback).toContain('"citty" is not a known key. Did you mean "city"?');
});

const rename = {
  type: "object",
  properties: { path: { type: "string" }, dry_run: { type: "boolean" } },
  additionalProperties: false,
};
const nested = {
  type: "object",
  properties: { filter: rename, rows: { type: "array", items: rename } },
  additionalProperties: false,
};

it.each([
  ["at the top", rename, { path: "/tmp", dry_rn: true }, "dry_rn"],
  ["in an object", nested, { filter: { path: "/tmp", dry_rn: true } }, "dry_rn"],
  ["in a list", nested, { rows: [{ path: "a" }, { path: "b", dry_rn: false }] }, "dry_rn"],
  ["as the first key", rename, { dry_rn: true, path: "/tmp" }, "dry_rn"],
  ["where the schema requires the key", { ...rename, required: ["dry_run"] }, { path: "/tmp", dry_rn: 1 }, "dry_rn"],
  ["as the beginning of one", rename, { path: "/tmp", dry: true }, "dry"],
])("a key that is nearly a declared one is not dropped %s", (_, parameters, args, key) => {
  const tool = { name: "find", parameters };
  const options = { tools: [tool], protocol: "hermes" } as const;
  const { toolCalls, invalidToolCalls } = parseReply(reply(args), options);
  expect(toolCalls).toEqual([]);
  expect(invalidToolCalls[0]?.error.feedback).toContain(`"${key}" is not a known key. Did you mean "dry_run"?`);
  const parser = createReplyParser(options);
  const events = [...reply(args)].flatMap((character) => [...parser.push(character)]);
  const streamed = collectReply([...events, ...parser.end()]);
  expect(streamed.invalidToolCalls[0]?.error).toEqual(invalidToolCalls[0]?.error);
  expect(() => parseToolCallArguments(tool, args, "anthropic")).toThrow(ToolArgumentsError);
});

it.each([
  ["resembles none", { path: "/tmp", reason: "to see" }, { path: "/tmp" }],
  ["is another spelling", { path: "/tmp", "dry-run": true }, { path: "/tmp", dry_run: true }],
  ["is near one that is set", { path: "/tmp", dry_run: true, dry_rn: true }, { path: "/tmp", dry_run: true }],
  ["says nothing", { path: "/tmp", dry_rn: null }, { path: "/tmp" }],
])("a call runs with an undeclared key that %s", (_, args, read) => {
  const { toolCalls } = parseReply(reply(args), { tools: [{ name: "find", parameters: rename }], protocol: "hermes" });
  expect(toolCalls.map((call) => call.arguments)).toEqual([read]);
});

it("a tool without parameters takes none, as one whose schema declares none and is closed", () => {
  const tool = { name: "find" };
  const repairs = [{ code: "dropped-key", path: "/force" }];
  for (const tools of [[tool], [{ ...tool, parameters: none }]]) {
    const options = { tools, protocol: "hermes" } as const;
    expect(parseReply(reply({ force: true }), options).toolCalls).toMatchObject([{ arguments: {}, repairs }]);
    const parser = createReplyParser(options);
    const events = [...reply({ force: true })].flatMap((character) => [...parser.push(character)]);
    expect(collectReply([...events, ...parser.end()]).toolCalls).toMatchObject([{ arguments: {}, repairs }]);
  }
  expect(parseToolCallArguments(tool, { force: true }, "anthropic")).toEqual({ arguments: {}, repairs });
  expect(validateArguments(tool, { force: true })).toMatchObject([{ path: "/force" }]);
  expect(validateArguments(tool, {})).toEqual([]);
  for (const parameters of [true, { type: "object" }, { type: "object", properties: {} }])
    expect(validateArguments({ ...tool, parameters }, { force: true })).toEqual([]);
  expect(parseReply(reply({ force: true }), { protocol: "hermes" }).toolCalls).toMatchObject([
    { arguments: { force: true } },
  ]);
});

const flag = { type: "boolean" };
const options = { type: "object", properties: { dry_run: flag } };
const remove = { type: "object", properties: { path: { type: "string" }, force: flag, options } };
const closed = {
  ...remove,
  additionalProperties: false,
  properties: { ...remove.properties, options: { ...options, additionalProperties: false } },
};

describe("a key at the wrong level of a closed schema", () => {
  const tool = { name: "find", parameters: closed };
  const read = (args: object, parameters: object = closed) => {
    const given = { tools: [{ name: "find", parameters }], protocol: "hermes" } as const;
    const whole = parseReply(reply(args), given);
    const parser = createReplyParser(given);
    const events = [...reply(args)].flatMap((character) => [...parser.push(character)]);
    const streamed = collectReply([...events, ...parser.end()]);
    expect(streamed.invalidToolCalls[0]?.error).toEqual(whole.invalidToolCalls[0]?.error);
    expect(streamed.toolCalls.length).toBe(whole.toolCalls.length);
    return whole;
  };

  it.each([
    [{ path: "/a", options: {}, dry_run: true }, 'It belongs into "options".'],
    [{ path: "/a", dry_run: false }, 'It belongs into "options".'],
    [{ path: "/a", options: { dry_run: true, force: true } }, "It belongs outside of its object."],
    [{ options: { dry_run: true, path: "/a" } }, "It belongs outside of its object."],
  ])("is refused if it is not set where it belongs: %j", (args, says) => {
    expect(read(args).toolCalls).toEqual([]);
    expect(read(args).invalidToolCalls[0]?.error.feedback).toContain(`is not a known key. ${says}`);
    expect(() => parseToolCallArguments(tool, args, "anthropic")).toThrow(ToolArgumentsError);
  });

  it.each([
    [{ path: "/a", options: { dry_run: true }, dry_run: true }],
    [{ path: "/a", options: { dry_run: null }, dry_run: null }],
    [{ path: "/a", force: true, options: { dry_run: true, force: true } }],
  ])("is no reason to refuse a call if it is set there, or says nothing: %j", (args) => {
    expect(read(args).toolCalls).toHaveLength(1);
  });

  it("is one of its own in an open schema, which the tool gets, and in an item of a list", () => {
    const args = { path: "/a", options: { force: true } };
    expect(read(args, remove).toolCalls).toMatchObject([{ arguments: args }]);
    const member = { type: "object", properties: { email: { type: "string" } }, additionalProperties: false };
    const team = {
      type: "object",
      properties: { name: { type: "string" }, members: { type: "array", items: member } },
    };
    const members = [{ email: "a", name: "A" }, { email: "b" }];
    expect(read({ members }, { ...team, additionalProperties: false }).toolCalls).toHaveLength(1);
  });
});

const circle = {
  type: "object",
  properties: { kind: { const: "circle" }, radius: { type: "number" } },
  required: ["kind"],
};
const square = {
  type: "object",
  properties: { kind: { const: "square" }, side: { type: "number" }, dry_run: flag },
  required: ["kind"],
};

it("a key of another alternative of anyOf is kept if that matches too", () => {
  const contact = (key: string) => ({ properties: { [key]: { type: "string" } }, required: [key] });
  const parameters = {
    type: "object",
    properties: { name: { type: "string" } },
    anyOf: [contact("email"), contact("phone")],
  };
  const args = { name: "Ann", email: "a@b.c", phone: "1" };
  const { toolCalls } = parseReply(reply(args), { tools: [{ name: "find", parameters }], protocol: "hermes" });
  expect(toolCalls).toMatchObject([{ arguments: args }]);
});

describe.each(["anyOf", "oneOf"])("a key of another alternative of %s", (keyword) => {
  const shape = { [keyword]: [circle, square] };
  const close = (part: object) => ({ ...part, additionalProperties: false });
  const draw = (part: object) => ({ name: "find", parameters: { type: "object", properties: { shape: part } } });
  const read = (args: object, part: object = shape) =>
    parseReply(reply(args), { tools: [draw(part)], protocol: "hermes" });

  it("is refused, with the keys of the one that was chosen", () => {
    for (const part of [shape, { [keyword]: [close(circle), close(square)] }]) {
      const { toolCalls, invalidToolCalls } = read({ shape: { kind: "circle", radius: 1, side: 2 } }, part);
      expect(toolCalls).toEqual([]);
      const [{ error } = { error: undefined }] = invalidToolCalls;
      expect(error?.feedback).toContain('is not a known key. This alternative has "kind", "radius".');
    }
    expect(read({ shape: { kind: "square", side: 2 } }).toolCalls).toHaveLength(1);
  });

  it("is refused in lists, and a misspelt key of the chosen one too", () => {
    const list = { type: "array", items: shape };
    expect(read({ shape: [{ kind: "square" }, { kind: "circle", side: 2 }] }, list).toolCalls).toEqual([]);
    const misspelt = read({ shape: { kind: "square", dry_rn: true } });
    expect(misspelt.invalidToolCalls[0]?.error.feedback).toContain('Did you mean "dry_run"?');
  });

  it("is given to an alternative that takes others, and no key is refused where several alternatives match", () => {
    const record = { ...circle, additionalProperties: true };
    expect(read({ shape: { kind: "circle", side: 2 } }, { [keyword]: [record, square] }).toolCalls).toHaveLength(1);
    const [a, b] = [
      { type: "object", properties: { a: flag } },
      { type: "object", properties: { a: flag, b: flag } },
    ];
    expect(read({ shape: { a: true, b: true } }, { anyOf: [a, b] }).toolCalls).toHaveLength(1);
  });

  it("is refused where the alternatives are those of all arguments", () => {
    const parameters = { type: "object", [keyword]: [circle, square] };
    const call = (args: object) =>
      parseReply(reply(args), { tools: [{ name: "find", parameters }], protocol: "hermes" });
    expect(call({ kind: "circle", radius: 1, side: 2 }).toolCalls).toEqual([]);
    expect(call({ kind: "circle", radius: 1 }).toolCalls).toHaveLength(1);
  });
});
