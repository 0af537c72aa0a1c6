import { describe, expect, test } from "vitest";
import { jsonSchemaToGbnf } from "../src/grammar/index.js";
import { matcher } from "./support/gbnf-oracle.js";
import { schemaProbes } from "./support/schema-probes.js";

const words = (gaps: readonly { path: string; keyword: string }[]) =>
  gaps.map(({ path, keyword }) => `${path} ${keyword}`);

// By llama.cpp's own matcher: exactly, or the keyword is reported.
describe("a grammar enforces", () => {
  test.each(Object.entries(schemaProbes))("%s", async (_, { schema, accepts, rejects, ...gaps }) => {
    const { grammar, unenforced, narrowed } = jsonSchemaToGbnf(schema);
    const matches = await matcher(grammar);
    expect({ tight: accepts.filter((text) => !matches(text)), loose: rejects.filter(matches) }).toEqual({
      tight: [],
      loose: [],
    });
    expect({ unenforced: words(unenforced), narrowed: words(narrowed) }).toEqual({
      unenforced: [],
      narrowed: [],
      ...gaps,
    });
  });

  test("more than sixty kinds of schema", () => {
    expect(Object.keys(schemaProbes).length).toBeGreaterThan(60);
  });
});
