import { describe, expect, test } from "vitest";
import { callHost } from "../../../test/support/call-host.js";
import { everyBody } from "../../bodies/index.js";
import { Input } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { jsonCall } from "../../syntax/parts.js";
import type { Body } from "../../syntax/syntax.js";
import { compileForms } from "../forms/forms.js";
import { type BodyKinds, bodyStarts, readerOf, rejecting, startsWithOneOf } from "./body-kind.js";

const kinds: BodyKinds = new Map(everyBody.map((kind) => [kind.kind, kind]));
const none: BodyKinds = new Map();

/** A call that may be rejected, and what it was rejected for. */
function rejectable() {
  const { calls: host, ended } = callHost([{ name: "now" }]);
  host.nextCall().setName("now");
  const reasons = () =>
    ended().flatMap((one) => (typeof one === "string" ? [one.replace(/^The call could not be read: |\.$/g, "")] : []));
  const answers = { reasoning() {}, text() {}, value() {} };
  const place = { host, answers, node: compileForms([]), around: [], gap: "", repaired() {} };
  return { host, place, reasons };
}

describe("the reader of a body", () => {
  const elements: Body = {
    body: "elements",
    open: ["<", { slot: "key" }, ">"],
    close: ["</", { slot: "key" }, ">"],
    leaf: "xml",
  };
  const json: Body = { body: "json" };

  /** What a call is rejected for by a reader that is only made. */
  function rejections(body: Body, stated: Map<string, string> | undefined): string[] {
    const { place, reasons } = rejectable();
    const made: BodyKinds = new Map([
      [
        body.body,
        {
          kind: body.body,
          render: () => "",
          starts: () => true,
          reader: () => ({ read: () => "done", failure: "", isBetweenValues: false }),
        },
      ],
    ]);
    const reader = readerOf(body, { ...place, stated }, made);
    expect(reader.read(new Input())).toBe("done");
    return reasons();
  }

  test("is the one of its kind", () => expect(rejections(json, undefined)).toEqual([]));

  test("rejects a call whose tag has arguments, if the notation has none there", () => {
    const stated = new Map([["city", "Oslo"]]);
    expect([rejections(json, stated), rejections(json, new Map()), rejections(elements, stated)]).toEqual([
      ["its tag holds an argument"],
      [],
      [],
    ]);
  });

  test("must be known", () => {
    expect(() => readerOf(json, { ...rejectable().place, stated: undefined }, none)).toThrow("unknown body kind json");
    expect(() => bodyStarts(jsonCall, new Lookahead({ text: "{", final: true }), 0, none)).toThrow(
      "unknown body kind json-call",
    );
  });
});

test("a body begins where its kind says", () => {
  const look = new Lookahead({ text: "x{(", final: true });
  const starts = (body: Body) => [0, 1, 2].map((at) => bodyStarts(body, look, at, kinds));
  expect(starts({ body: "json" })).toEqual([false, true, false]);
  expect(starts({ body: "python-arguments" })).toEqual([false, false, true]);
});

test("a body may begin with one of some characters", () => {
  const starts = startsWithOneOf("{(");
  const at = (text: string) => starts({ body: "json" }, new Lookahead({ text, final: true }), 1, undefined);
  expect([at("x{"), at("x("), at("xx"), at("x")]).toEqual([true, true, false, false]);
});

test("a call is rejected when its body is", () => {
  const { host, reasons } = rejectable();
  rejecting(host)("no value");
  expect(reasons()).toEqual(["no value"]);
});
