import { describe, expect, it } from "vitest";
import { hermes } from "../protocols/hermes.js";
import type { ToolDefinition } from "../types.js";
import { createEscaper } from "./escape.js";
import { escapeDescriptions } from "./tool-section.js";

const escaper = createEscaper([hermes]);
const marker = "<tool_call>";
const escaped = escaper.escape(marker);

describe("escaped descriptions", () => {
  it("are those at any depth, and nothing else, and the tool stays as it was", () => {
    const parameters = (said: string) =>
      JSON.parse(
        `{ "type": "object", "title": "${said}", "properties": {
             "__proto__": { "description": "${said}" },
             "description": { "anyOf": [{ "enum": ["${marker}"] }, { "type": "string", "description": "${said}" }] } } }`,
      );
    const tool: ToolDefinition = { name: "find", description: marker, parameters: parameters(marker) };
    const before = structuredClone(tool);
    expect(JSON.stringify(escapeDescriptions(tool, escaper))).toBe(
      JSON.stringify({ name: "find", description: escaped, parameters: parameters(escaped) }),
    );
    expect(tool).toEqual(before);
  });

  it("share what needs no escaping", () => {
    const tool: ToolDefinition = { name: "find", description: "Finds", parameters: { type: "object" } };
    expect(escapeDescriptions(tool, escaper).parameters).toBe(tool.parameters);
  });
});
