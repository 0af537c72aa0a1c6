import { describe, expect, it } from "vitest";
import { getProtocol, protocols } from "../protocols/index.js";
import { whyUncallable } from "./why-uncallable.js";

describe("whyUncallable", () => {
  it.each(Object.values(protocols))("accepts a plain name in $name", (protocol) => {
    expect(whyUncallable("get_weather", protocol)).toBeUndefined();
  });

  it("accepts a name of 128 characters, the longest of MCP, in every protocol", () => {
    for (const protocol of Object.values(protocols))
      expect(whyUncallable(`get_${"x".repeat(124)}`, protocol)).toBeUndefined();
  });

  it("reports that a name contains a marker, which no prompt can show", () => {
    expect(whyUncallable("<|im_end|>", getProtocol("hermes"))).toContain("<|im_end|>");
    expect(whyUncallable("<add>", getProtocol("hermes"))).toContain("<add>");
  });

  it("reports why a name cannot be called", () => {
    const reason = whyUncallable("get weather", getProtocol("xml"));
    expect(reason).toEqual(expect.any(String));
    expect(whyUncallable("get weather", getProtocol("hermes"))).toBeUndefined();
  });
});
