import { fileURLToPath } from "node:url";
import { providers } from "@toolingua/core/providers";
import { describe, expect, test } from "vitest";
import { cli } from "./support/cli.js";

const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, import.meta.url));
const weather = {
  name: "get_weather",
  description: "The weather in a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
};

describe("toolingua schema", () => {
  test("prints the tools of a file, all or the named ones", async () => {
    const { code, stdout } = await cli(["schema", sample("tools.json"), "--only", "get_weather"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([weather]);
  });

  test.each(["openai", "openai-responses", "openai-functions", "anthropic", "gemini"] as const)(
    "prints them in the form of %s",
    async (provider) => {
      const { stdout } = await cli(["schema", sample("tools.json"), "--provider", provider, "--only", "get_weather"]);
      expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(providers[provider].toTools([weather]).value)));
    },
  );

  test("prints them as MCP tools", async () => {
    const { stdout } = await cli(["schema", sample("tools.json"), "--provider", "mcp", "--only", "get_weather"]);
    expect(JSON.parse(stdout)).toEqual([
      { name: "get_weather", description: weather.description, inputSchema: weather.parameters },
    ]);
  });

  test("prints those of a module, an API and an MCP server together", async () => {
    const mcp = `"${process.execPath}" "${sample("mcp-server.mjs")}"`;
    const { stdout } = await cli(["schema", sample("foreign.mjs"), "--openapi", sample("api.yaml"), "--mcp", mcp]);
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual([
      "double",
      "halve",
      "getPet",
      "deletePet",
      "look",
      "touch",
    ]);
  });

  test("reports on standard error what the format cannot represent", async () => {
    const { stdout, stderr } = await cli(["schema", sample("strict.json"), "--provider", "gemini"]);
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toContain("lost: multipleOf at ");
    const json = await cli(["schema", sample("strict.json"), "--provider", "gemini", "--json"]);
    expect(JSON.parse(json.stderr)).toEqual({ note: stderr.trim() });
    expect((await cli(["schema", sample("strict.json"), "--provider", "gemini", "--quiet"])).stderr).toBe("");
  });

  test.each([
    [["schema"], "The tools are missing"],
    [
      ["schema", sample("tools.json"), "--only", "get_wether"],
      'There is no tool "get_wether". Did you mean "get_weather"?',
    ],
    [["schema", sample("tools.json"), "--provider", "opnai"], "Allowed choices are"],
  ])("explains what is wrong with %j, and ends with 64", async (argv, message) => {
    const { code, stderr } = await cli(argv);
    expect(code).toBe(64);
    expect(stderr).toContain(message);
  });
});
