import { describe, expect, it } from "vitest";
import { getProtocol, protocols } from "./index.js";

describe("the registry", () => {
  it.each(Object.entries(protocols))("has %s under its own name", (name, protocol) => {
    expect(protocol.name).toBe(name);
    expect(getProtocol(protocol.name as keyof typeof protocols)).toBe(protocol);
  });
});
