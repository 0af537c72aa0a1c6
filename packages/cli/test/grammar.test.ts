import { fileURLToPath } from "node:url";
import { constraintFor, toEbnf, toLark, toolCallGrammar } from "@toolingua/core/grammar";
import { describe, expect, test } from "vitest";
import { cli } from "./support/cli.js";

const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, import.meta.url));
const one = sample("strict.json");
const tools = [
  { name: "round", parameters: { type: "object", properties: { n: { type: "integer", multipleOf: 5 } } } },
];
const options = { tools, protocol: "hermes", toolChoice: "required" } as const;
const { grammar } = toolCallGrammar(options);

describe("toolingua grammar", () => {
  test.each([
    ["gbnf", grammar],
    ["ebnf", toEbnf(grammar)],
    ["lark", toLark(grammar)],
  ])("prints the grammar of calls as %s", async (dialect, expected) => {
    const { code, stdout } = await cli(["grammar", "--tools", one, "-p", "hermes", "--dialect", dialect]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
    const json = await cli(["grammar", "--tools", one, "-p", "hermes", "--dialect", dialect, "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ dialect, grammar: expected });
  });

  test.each(["llama.cpp", "vllm", "sglang"] as const)("prints the fields of a request to %s", async (backend) => {
    const { stdout } = await cli(["grammar", "--tools", one, "-m", "qwen2.5:7b", "--dialect", backend]);
    expect(JSON.parse(stdout)).toEqual(constraintFor(backend, options));
  });

  test("prints a structural tag, or reports that the format has none", async () => {
    const { stdout } = await cli(["grammar", "--tools", one, "-p", "hermes", "--dialect", "structural-tag"]);
    expect(JSON.parse(stdout)).toMatchObject({ type: "structural_tag", format: { triggers: ["<tool_call>"] } });
    const none = await cli(["grammar", "--tools", one, "-p", "react", "--dialect", "structural-tag"]);
    expect(none.code).toBe(70);
  });

  test("reports whether a text is accepted, and from where on not", async () => {
    const argv = ["grammar", "--tools", one, "-p", "hermes", "--json"];
    const good = '<tool_call>\n{"name": "round", "arguments": {"n": 15}}\n</tool_call>';
    const judged = async (text: string) => {
      const { code, stdout } = await cli([...argv, "--test", text]);
      return { code, ...JSON.parse(stdout) };
    };
    expect(await judged(good)).toEqual({ code: 0, matches: true });
    expect(await judged(good.replace("round", "ruond"))).toMatchObject({
      code: 1,
      matches: false,
      at: good.indexOf("ound"),
    });
    expect(await judged(good.slice(0, -1))).toMatchObject({ code: 1, at: good.length - 1, expected: ['">"'] });
    expect((await cli([...argv, "--test-file", "-"], { stdin: good })).code).toBe(0);
  });

  test("shows where the text leaves the grammar", async () => {
    const { stdout } = await cli(["grammar", "--tools", one, "-p", "hermes", "--test", "<tool_cell>"]);
    expect(stdout).toMatch(/^<tool_c⟨here⟩ell>\n\nnot admitted from character 7 on\nexpected: "all>/);
  });

  test("prints the grammar of a JSON Schema's values", async () => {
    const argv = ["grammar", "--schema", sample("answer.schema.json")];
    expect((await cli(argv)).stdout).toContain("root ::= ");
    expect((await cli([...argv, "--test", '"yes"'])).code).toBe(0);
    expect((await cli([...argv, "--test", '"maybe"'])).code).toBe(1);
  });

  test.each([
    [["grammar"], "The tools are missing"],
    [["grammar", "--tools", one], "The wire format is missing: give --protocol or --model."],
    [["grammar", "--tools", one, "-p", "hermes", "--tool-choice", "ruond"], 'Did you mean "round"?'],
    [["grammar", "--tools", one, "--schema", one], "cannot be given together"],
    [["grammar", "--schema", sample("answer.schema.json"), "--dialect", "vllm"], "has no dialect vllm"],
    [
      ["grammar", "--tools", one, "-p", "hermes", "--test", "a", "--test-file", "b"],
      "option '--test <text>' cannot be used with option",
    ],
  ])("explains what is wrong with %j, and ends with 64", async (argv, message) => {
    const { code, stderr } = await cli(argv);
    expect(code).toBe(64);
    expect(stderr).toContain(message);
  });
});
