import { protocols } from "@toolingua/core";
import { describe, expect, test } from "vitest";
import { cli } from "./support/cli.js";

describe("toolingua protocols", () => {
  test("lists every wire format", async () => {
    const { code, stdout } = await cli(["protocols"]);
    expect(code).toBe(0);
    const first = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(first).toEqual(["protocol", ...Object.keys(protocols)]);
  });

  test("gives the same as JSON", async () => {
    const { stdout, stderr } = await cli(["protocols", "--json"]);
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(Object.keys(protocols));
    expect(stderr).toBe("");
  });

  test("shows one with a call as the model writes it", async () => {
    const { stdout } = await cli(["protocols", "hermes"]);
    expect(stdout).toContain(
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}\n</tool_call>',
    );
  });

  test("says where calls count, in the format that was asked for and otherwise", async () => {
    const { stdout } = await cli(["protocols", "--json"]);
    const facts: { name: string; callsStand: string; callsStandUnasked: string }[] = JSON.parse(stdout);
    const places = (wanted: string) =>
      facts.flatMap(({ name, callsStand, callsStandUnasked }) =>
        name === wanted ? [callsStand, callsStandUnasked] : [],
      );
    expect(places("hermes")).toEqual(["anywhere", "anywhere"]);
    expect(places("tool-tags")).toEqual(["anywhere", "line"]);
    expect(places("json-action")).toEqual(["line or end", "last line"]);
    expect((await cli(["protocols", "json-action"])).stdout).toContain(
      "one in a reply, on their own line, or at the end",
    );
  });

  test("names the one that a model was trained on", async () => {
    const { stdout } = await cli(["protocols", "--model", "Qwen/Qwen3-Coder-30B", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ model: "Qwen/Qwen3-Coder-30B", name: "qwen3-coder", grammar: true });
  });

  test("says that a model without a wire format of its own gets that for any model", async () => {
    const unknown = await cli(["protocols", "--model", "xyz"]);
    expect(unknown.stdout).toContain("xml, for xyz");
    expect(unknown.stderr).toContain("No wire format is known for xyz: xml is the one for any model.");
    expect(JSON.parse((await cli(["protocols", "--model", "xyz", "--json"])).stdout)).toMatchObject({ fallback: true });
    const known = await cli(["protocols", "--model", "Qwen/Qwen3-Coder-30B"]);
    expect(known.stderr).toBe("");
  });

  test("suggests a near name, and ends with 64", async () => {
    expect(await cli(["protocols", "herms"])).toEqual({
      code: 64,
      stdout: "",
      stderr: 'error: There is no protocol "herms". Did you mean "hermes"?\n',
    });
  });
});
