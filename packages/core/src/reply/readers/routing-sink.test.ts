import { describe, expect, test } from "vitest";
import { emitValue, type KnownKeys, ValueBuilder, type WholeValue } from "../../notation/value-sink.js";
import { type Beginning, type Route, RoutingSink } from "./routing-sink.js";

/** A builder that also takes whole values. */
class WholeBuilder extends ValueBuilder {
  whole(read: () => WholeValue | undefined): boolean {
    const found = read();
    if (found) this.write(found.value);
    return found !== undefined;
  }
}

/** Builds the value of each key of the outer object; `skip` is ignored, and `nested` belongs to the object around it. */
class Parts extends RoutingSink {
  readonly parts: [string, unknown][] = [];
  private depth = 0;
  private key_ = "";

  constructor(readonly rejections: string[] = []) {
    super({ currentCall: () => ({ reject: (reason = "") => rejections.push(reason) }) });
  }

  protected ownKey(key: string): void {
    this.key_ = key;
  }

  protected route(kind: Beginning): Route | undefined {
    if (kind === "object" && (this.depth === 0 || this.key_ === "nested")) {
      this.depth++;
      return undefined;
    }
    return this.key_ === "skip" ? undefined : this.built();
  }

  private built(): Route {
    const sink = new WholeBuilder();
    const key = this.key_;
    const keys: KnownKeys = { expects: () => true, declares: () => true, needsTexts: false, needsObject: false };
    return { sink, keys, complete: () => this.parts.push([key, sink.value]) };
  }

  protected wholeRoute(): Route | undefined {
    return this.key_ === "whole" ? this.built() : undefined;
  }

  protected ownEnd(): void {
    this.depth--;
  }

  protected expectsOwn(): undefined {
    return undefined;
  }
}

describe("a routing sink", () => {
  test("passes each value with all its parts to the sink of its route", () => {
    const sink = new Parts();
    emitValue({ a: { b: [1, { c: "x" }] }, nested: { d: null, e: "y" }, skip: "z", f: [] }, sink);
    expect(sink.parts).toEqual([
      ["a", { b: [1, { c: "x" }] }],
      ["d", null],
      ["e", "y"],
      ["f", []],
    ]);
  });

  test("answers questions about keys with the keys of the value being read", () => {
    const sink = new Parts();
    sink.begin("object");
    sink.key("a");
    expect([sink.expects("x"), sink.declares("x")]).toEqual([undefined, false]);
    sink.begin("object");
    expect([sink.expects("x"), sink.declares("x")]).toEqual([true, true]);
    sink.end("object");
    expect([sink.expects("x"), sink.declares("x")]).toEqual([undefined, false]);
  });

  test("passes a whole value on only where its route takes one", () => {
    const sink = new Parts();
    const read = () => ({ value: { b: 1 }, source: '{"b": 1}', inner: "" });
    sink.begin("object");
    sink.key("a");
    expect(sink.whole(read, "object")).toBe(false);
    sink.key("whole");
    expect([sink.whole(() => undefined, "object"), sink.whole(read, "object")]).toEqual([false, true]);
    expect(sink.parts).toEqual([["whole", { b: 1 }]]);
  });

  test("reads parentheses without a comma as a list, and rejects the call", () => {
    const sink = new Parts();
    sink.begin("object");
    sink.key("a");
    sink.begin("group");
    sink.scalar(1, "1");
    sink.end("group");
    expect(sink.parts).toEqual([["a", [1]]]);
    expect(sink.rejections).toEqual(["parentheses hold no comma: a list, or one value"]);
  });
});
