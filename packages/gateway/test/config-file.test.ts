import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { configJsonSchema, GatewayConfigError, parseConfig, readConfig } from "../src/index.js";

const whole = `
# A gateway for two servers.
models:
  - name: qwen2.5:7b
    aliases: [gpt-*]
    upstream: { baseURL: http://localhost:11434/v1, apiKey: "\${UP_KEY}" }
    backend: ollama
  - name: local
    upstream:
      baseURL: http://\${HOST:-localhost}:8080/v1
    contextWindow: \${WINDOW}
server:
  port: \${PORT:-8000}
  keys:
    - { name: me, key: "\${MY_KEY}" }
`;
const environment = { UP_KEY: "12", MY_KEY: "a: b # c", WINDOW: "4096" };

function issuesOf(text: string, env = {}) {
  try {
    parseConfig(text, env);
  } catch (error) {
    if (error instanceof GatewayConfigError) return { code: error.code, issues: error.issues, message: error.message };
    throw error;
  }
  return undefined;
}

describe("a configuration file", () => {
  it("is read with environment variables, which cannot change its structure", () => {
    const config = parseConfig(whole, environment);
    expect(config.models[0]?.upstream?.apiKey).toBe("12");
    expect(config.models[1]).toMatchObject({ upstream: { baseURL: "http://localhost:8080/v1" }, contextWindow: 4096 });
    expect(config.server).toEqual({ port: 8000, keys: [{ name: "me", key: "a: b # c" }] });
  });

  it("uses the default if a variable is empty", () => {
    expect(parseConfig(whole, { ...environment, PORT: "", HOST: "" })).toEqual(parseConfig(whole, environment));
  });

  it("is read from a path, and reports one that cannot be read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolingua-config-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.yaml"), "models: [{ name: m, upstream: { baseURL: http://localhost:1/v1 } }]");
    expect((await readConfig(join(folder, "a.yaml"))).models[0]?.name).toBe("m");
    writeFileSync(
      join(folder, "le.yaml"),
      Buffer.from("\ufeffmodels: [{ name: ü, upstream: { baseURL: http://b/v1 } }]", "utf16le"),
    );
    expect((await readConfig(join(folder, "le.yaml"))).models[0]?.name).toBe("ü");
    const latin = join(folder, "latin.yaml");
    writeFileSync(latin, Buffer.from("# the café\nmodels: []\n", "latin1"));
    await expect(readConfig(latin)).rejects.toMatchObject({
      code: "unreadable",
      issues: [{ path: "", message: `the file ${latin} is not UTF-8 (line 1): save it as UTF-8.` }],
    });
    const broken = join(folder, "c.yaml");
    writeFileSync(broken, "models: [");
    await expect(readConfig(broken)).rejects.toMatchObject({
      code: "unreadable",
      issues: [{ line: 1 }],
      message: expect.stringContaining(`The configuration in ${broken} cannot be used:\n- line 1, column 10: `),
    });
    const missing = readConfig(join(folder, "b.yaml"));
    await expect(missing).rejects.toMatchObject({ name: "GatewayConfigError", code: "unreadable" });
  });

  it("that is invalid is refused with the line and the correct form", () => {
    const text = whole.replace("backend: ollama", "bakend: ollama").replace(/port: .*/, "port: many");
    expect(issuesOf(text, environment)).toMatchObject({
      code: "bad-config",
      issues: [
        { path: "models[0].bakend", line: 7, column: 5, message: expect.stringContaining('Did you mean "backend"?') },
        { path: "server.port", line: 13, column: 3, message: expect.stringContaining("port from 0") },
      ],
    });
    expect(issuesOf(text, environment)?.message).toContain("line 7, column 5: models[0].bakend: There is no");
  });

  it("is refused with every misspelt key of an object, each in its place", () => {
    const text = whole.replace("backend: ollama", "bakend: ollama\n    protocl: hermes\n    visoin: true");
    expect(issuesOf(text, environment)?.issues).toMatchObject([
      { path: "models[0].bakend", line: 7, message: expect.stringContaining('Did you mean "backend"?') },
      { path: "models[0].protocl", line: 8, message: expect.stringMatching(/^There is no "protocl".*"protocol"\?$/) },
      { path: "models[0].visoin", line: 9, message: expect.stringContaining('Did you mean "vision"?') },
    ]);
  });

  it("is refused with every unknown key of an object by its own name, whatever the name", () => {
    const text =
      'models:\n  - name: m\n    upstream: { baseURL: http://localhost:1/v1 }\n    "a\\nb": 1\n    zz: 2\n    visoin: 3\n';
    expect(issuesOf(text)?.issues).toMatchObject([
      { path: 'models[0]["a\\nb"]', line: 4, message: expect.stringMatching(/^There is no "a\\nb" here\. /) },
      { path: "models[0].zz", line: 5, message: expect.stringMatching(/^There is no "zz" here\. /) },
      { path: "models[0].visoin", line: 6, message: 'There is no "visoin" here. Did you mean "vision"?' },
    ]);
  });

  it("names its own word for the options of other packages", () => {
    const text = "models: [{ name: m, upstream: { url: http://localhost:1/v1, api_key: a } }]";
    const messages = issuesOf(text)?.issues.map(({ message }) => message);
    expect(messages).toContain('There is no "url" here. Did you mean "baseURL"?');
    expect(messages).toContain('There is no "api_key" here. Did you mean "apiKey"?');
  });

  it("tells where the name of a model at its server belongs", () => {
    const text = "models: [{ name: m, model: gemma3, upstream: { baseURL: http://localhost:1/v1 } }]";
    const message =
      "must be a TextModel, a function, in code; the model's id at its server is the `model` of `upstream`";
    expect(issuesOf(text)?.issues).toMatchObject([{ path: "models[0].model", message }]);
  });

  it("reports missing options in their place", () => {
    expect(issuesOf("models:\n  - upstream: { baseURL: http://localhost:1/v1 }\n")?.issues).toMatchObject([
      { path: "models[0].name", message: "is missing", line: 2 },
    ]);
    expect(issuesOf(whole, { MY_KEY: "x", WINDOW: "1" })?.issues).toMatchObject([
      { message: expect.stringContaining("UP_KEY"), line: 6 },
    ]);
    expect(issuesOf("")?.issues).toMatchObject([{ path: "" }]);
  });

  it("that is not YAML is refused with the place", () => {
    expect(issuesOf("models: [\n  name: 'a\n")).toMatchObject({
      code: "unreadable",
      issues: [{ line: 3, message: expect.stringContaining("quote") }, {}],
    });
  });
});

it("the JSON Schema of the file describes each option", () => {
  const schema = configJsonSchema() as { required: string[]; properties: Record<string, { items?: unknown }> };
  expect(schema.required).toEqual(["models"]);
  expect(schema.properties.models?.items).toMatchObject({
    additionalProperties: false,
    required: ["name"],
    properties: { liveCalls: { type: "boolean" }, backend: { enum: expect.arrayContaining(["vllm"]) } },
  });
});
