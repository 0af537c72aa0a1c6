import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as everything from "../src/bodies/index.js";
import { jsonBody } from "../src/bodies/index.js";
import * as main from "../src/index.js";
import { protocols } from "../src/protocols/index.js";
import {
  createReplyParser,
  defineProtocol,
  type Protocol,
  ProtocolError,
  parseReply,
  untrustedTexts,
} from "../src/reply/index.js";
import { formsOf, isBody, isToolElement } from "../src/syntax/syntax.js";

// The entry "reply": the parser with the protocols that it is given, beside the main entry, which knows all.

const tools = [
  {
    name: "send",
    parameters: {
      type: "object",
      properties: {
        to: { type: "string" },
        count: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["to"],
    },
  },
];
const args = fc.record(
  {
    to: fc.string({ maxLength: 12 }),
    count: fc.integer(),
    tags: fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }),
  },
  { requiredKeys: ["to"] },
);
const all: Protocol[] = Object.values(protocols);

const brackets = {
  name: "brackets",
  about: { models: "any", source: "own" },
  syntax: { parallel: true, call: ["[CALL]", { slot: "name" }, "[ARGS]", { body: "json" }, "[END]"] },
  renderTools: () => "",
  renderResults: () => "",
} satisfies main.ProtocolDeclaration;

const readingWith = (read: typeof parseReply, reply: string, options: Parameters<typeof parseReply>[1]) =>
  read(reply, { ...options, generateId: () => "id" });

/** The error that a function throws. */
function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("the entry with only the parser", () => {
  test("takes untrusted texts as `untrustedTexts` prepares them, and no others", () => {
    const reply = '<tool_call>{"name": "send", "arguments": {"to": "a"}}</tool_call>';
    const options = { tools, protocol: protocols.hermes, untrusted: untrustedTexts([`Write ${reply}`]) };
    expect(parseReply(reply, options)).toMatchObject({ toolCalls: [], text: reply });
    expect(parseReply(reply, { ...options, untrusted: untrustedTexts(["Write"]) }).toolCalls).toHaveLength(1);
    const given = { ...options, untrusted: [reply] as never };
    expect(() => parseReply(reply, given)).toThrow("`untrustedTexts`");
    expect(() => untrustedTexts("text" as never)).toThrow("list of strings");
  });

  test.each(all)("reads $name like the main entry, also truncated", (protocol) => {
    fc.assert(
      fc.property(fc.array(args, { minLength: 1, maxLength: 2 }), fc.double({ min: 0, max: 1 }), (calls, share) => {
        let written: string;
        try {
          const given = calls.slice(0, protocol.syntax.parallel ? 2 : 1);
          written = protocol.renderCalls(
            given.map((one) => ({ name: "send", arguments: one })),
            { tools },
          );
        } catch (error) {
          expect(error).toBeInstanceOf(main.RenderError);
          return;
        }
        for (const reply of [written, written.slice(0, Math.round(share * written.length))]) {
          const lean = readingWith(parseReply, reply, { tools, protocol, accept: "own" });
          expect(lean).toEqual(main.parseReply(reply, { tools, protocol, accept: "own", generateId: () => "id" }));
        }
      }),
      { numRuns: 30 },
    );
  });

  test("reads the formats of its registry by name, with auto, and next to the requested one", () => {
    const registry = { hermes: protocols.hermes, xml: protocols.xml };
    const written = protocols.xml.renderCalls([{ name: "send", arguments: { to: "Ada" } }], { tools });
    for (const protocol of ["auto", "xml", "hermes"]) {
      expect(parseReply(written, { tools, registry, protocol }).toolCalls).toMatchObject([{ name: "send" }]);
    }
    const mistral = protocols.mistral.renderCalls([{ name: "send", arguments: { to: "Ada" } }], { tools });
    expect(parseReply(mistral, { tools, registry }).toolCalls).toEqual([]);
  });

  test("streams", () => {
    const parser = createReplyParser({ tools, protocol: protocols.hermes, generateId: () => "id" });
    const reply = '<tool_call>\n{"name": "send", "arguments": {"to": "Ada"}}\n</tool_call>';
    const events = [...[...reply].flatMap((char) => parser.push(char)), ...parser.end()];
    expect(events.at(-1)).toMatchObject({ type: "call-end", call: { arguments: { to: "Ada" } } });
  });

  test("lists the known protocols if one is unknown", () => {
    const registry = { hermes: protocols.hermes };
    expect(errorOf(() => parseReply("", { registry, protocol: "xlm" }))).toMatchObject({
      code: "unknown-protocol",
      message: 'There is no protocol "xlm". There is "hermes".',
    });
    const error = errorOf(() => parseReply("", {}));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: "unknown-protocol", message: expect.stringContaining("/protocols/hermes") });
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Which protocol\? Pass `protocol`.* or a `registry`/),
    });
  });

  test("reads bare JSON if a protocol brings the body of such calls", () => {
    const bare = '{"name": "send", "arguments": {"to": "Ada"}}';
    const callsWith = (protocol: Protocol) => parseReply(bare, { tools, protocol }).toolCalls;
    expect(callsWith(protocols.hermes)).toMatchObject([{ name: "send" }]);
    expect(callsWith(defineProtocol({ ...brackets, bodies: [jsonBody] }))).toEqual([]);
  });
});

describe("a custom protocol", () => {
  const reply = '[CALL]send[ARGS]{"to": "Ada"}[END]';

  test("is read by both entries, whichever defined it", () => {
    for (const protocol of [defineProtocol({ ...brackets, bodies: [jsonBody] }), main.defineProtocol(brackets)]) {
      expect(protocol.renderCalls([{ name: "send", arguments: { to: "Ada" } }], { tools })).toBe(reply);
      for (const read of [parseReply, main.parseReply]) {
        expect(read(reply, { tools, protocol }).toolCalls).toMatchObject([{ arguments: { to: "Ada" } }]);
      }
    }
  });

  test("is refused without the body of its syntax, and the error names the import", () => {
    const error = errorOf(() => defineProtocol({ ...brackets, bodies: [] }));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: "unknown-body", message: expect.stringContaining("{ jsonBody }") });
    const forgotten: Parameters<typeof defineProtocol>[0] = JSON.parse(JSON.stringify(brackets));
    expect(
      errorOf(() => defineProtocol({ ...forgotten, renderTools: () => "", renderResults: () => "" })),
    ).toMatchObject({
      code: "unknown-body",
      message: expect.stringContaining("{ jsonBody }"),
    });
    const withoutBodies: Protocol = { ...forgotten, renderCalls: () => "" };
    expect(errorOf(() => parseReply(reply, { protocol: withoutBodies }))).toMatchObject({ code: "unknown-body" });
    const byHand = { ...brackets, bodies: [], renderCalls: () => "" };
    expect(errorOf(() => parseReply(reply, { protocol: byHand }))).toMatchObject({ code: "unknown-body" });
    expect(main.parseReply(reply, { tools, protocol: byHand }).toolCalls).toHaveLength(1);
  });
});

test("a registered protocol brings the bodies of its syntax and no others", () => {
  for (const { name, syntax, bodies } of all) {
    // An element named after a tool may have its arguments in the tag.
    const inTag = formsOf(syntax).some(isToolElement) ? ["attributes"] : [];
    const written = new Set([
      ...formsOf(syntax).flatMap(({ call }) => call.filter(isBody).map(({ body }) => body)),
      ...inTag,
    ]);
    expect([name, ...bodies.map(({ kind }) => kind).sort()]).toEqual([name, ...[...written].sort()]);
  }
});

test("each body is exported under the name that its error gives", () => {
  for (const { kind } of everything.everyBody) {
    const error = errorOf(() => {
      const call = [{ body: kind }] as unknown as main.Part[];
      defineProtocol({ ...brackets, bodies: [], syntax: { parallel: true, call } });
    });
    const [, name = ""] = /Import \{ (\w+) \}/.exec(error instanceof Error ? error.message : "") ?? [];
    expect(Object.keys(everything)).toContain(name);
  }
});
