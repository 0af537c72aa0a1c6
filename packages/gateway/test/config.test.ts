import { describe, expect, it } from "vitest";
import { createGateway, type GatewayConfig, GatewayConfigError } from "../src/index.js";

const upstream = { baseURL: "http://localhost:11434/v1" };

function issuesOf(config: unknown) {
  try {
    createGateway(config as GatewayConfig);
  } catch (error) {
    if (error instanceof GatewayConfigError) return error.issues.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  return [];
}

describe("a configuration", () => {
  it.each([
    [{ models: [{ name: "m", upstream }] }],
    [
      {
        models: [{ name: "m", upstream, protocol: "hermes", toolSelection: { from: 30 } }],
        server: { keys: [{ name: "a", key: "sk-1" }], port: 0 },
      },
    ],
    [{ models: [{ name: "m", model: async function* () {} }] }],
    [{ models: [{ name: "m", upstreams: [upstream, { ...upstream, name: "b" }], circuitBreaker: { failures: 3 } }] }],
  ])("is accepted: %j", (config) => {
    expect(issuesOf(config)).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    [
      "nothing",
      undefined,
      /^: is missing: give one such as \{ models: \[\{ name: "llama3\.2", upstream: \{ baseURL: .*\} \}\] \}$/,
    ],
    ["no object", null, /^: must be an object with "models", .*, such as \{ models: /],
    [
      "a header that HTTP cannot carry",
      { models: [{ name: "m", upstream: { ...upstream, headers: { "x-a": "ü🌧" } } }] },
      /^models\[0\]\.upstream\.headers\["x-a"\]: is not a text that HTTP can carry$/,
    ],
    [
      "several headers that HTTP cannot carry",
      { models: [{ name: "m", upstream: { ...upstream, headers: { "x-a": "ü🌧", "x-b": "b", "x c": "c" } } }] },
      /headers\["x-a"\]: is not .*\n.*headers\["x c"\]: is not a text that HTTP can carry$/,
    ],
    ["no models", {}, /^models: is missing/],
    ["an empty list of models", { models: [] }, /^models: needs at least one model/],
    [
      "a misspelt option",
      { models: [{ name: "m", upstream, protcol: "xml" }] },
      /^models\[0\]\.protcol: There is no "protcol" here\. Did you mean "protocol"\?/,
    ],
    [
      "text for a flag",
      { models: [{ name: "m", upstream, startWithReasoning: "yes" }] },
      /^models\[0\]\.startWithReasoning: must be true or false/,
    ],
    [
      "fields that each request has",
      { models: [{ name: "m", upstream, fields: { top_p: 0.9, messages: [] } }] },
      /^models\[0\]\.fields\.messages: cannot be set here: it is made for each request$/,
    ],
    [
      "tools among the fields",
      { models: [{ name: "m", upstream, fields: { tools: [] } }] },
      /^models\[0\]\.fields\.tools: cannot be set here: tools are part of the messages/,
    ],
    [
      "text for fields",
      { models: [{ name: "m", upstream, fields: "top_p" }] },
      /^models\[0\]\.fields: must be an object$/,
    ],
    [
      "text for the selection of tools",
      { models: [{ name: "m", upstream, toolSelection: "yes" }] },
      /^models\[0\]\.toolSelection: must be true, false or an object such as /,
    ],
    [
      "a misspelt option of the selection of tools",
      { models: [{ name: "m", upstream, toolSelection: { form: 20 } }] },
      /^models\[0\]\.toolSelection\.form: There is no "form" here\. Did you mean "from"\?$/,
    ],
    [
      "a wrong limit of the selection of tools",
      { models: [{ name: "m", upstream, toolSelection: { from: 20, limit: "8" } }] },
      /^models\[0\]\.toolSelection\.limit: must be a whole number from 1$/,
    ],
    [
      "a misspelt flag",
      { models: [{ name: "m", upstream, startsWithReasoning: true }] },
      /Did you mean "startWithReasoning"\?/,
    ],
    [
      "a misspelt protocol",
      { models: [{ name: "m", upstream, protocol: "hermse" }] },
      /^models\[0\]\.protocol: cannot be "hermse"\. Did you mean "hermes"\?/,
    ],
    [
      "a protocol for reading only",
      { models: [{ name: "m", upstream, protocol: "auto" }] },
      /^models\[0\]\.protocol: cannot be "auto": leave it out for the format of the model's id$/,
    ],
    [
      "a misspelt option of a part",
      { models: [{ name: "m", upstream: { baseUrl: "x" } }] },
      /upstream\.baseUrl: .*Did you mean "baseURL"/,
    ],
    [
      "an address that is none",
      { models: [{ name: "m", upstream: { baseURL: "localhost" } }] },
      /^models\[0\]\.upstream\.baseURL: must be a complete URL/,
    ],
    [
      "an address of another protocol",
      { models: [{ name: "m", upstream: { baseURL: "ftp://host/v1" } }] },
      /^models\[0\]\.upstream\.baseURL: has the protocol ftp:, not http: or https:$/,
    ],
    [
      "an address with a password",
      { models: [{ name: "m", upstream: { baseURL: "http://me:secret@localhost/v1" } }] },
      /^models\[0\]\.upstream\.baseURL: cannot contain a name and password: (?!.*secret)/,
    ],
    [
      "an address with the path of its requests",
      { models: [{ name: "m", upstream: { baseURL: "http://localhost/v1/chat/completions" } }] },
      /^models\[0\]\.upstream\.baseURL: must be given without "\/chat\/completions", which is added/,
    ],
    [
      "a key with a line break at its end",
      { models: [{ name: "m", upstream: { ...upstream, apiKey: "sk-1\n" } }] },
      /^models\[0\]\.upstream\.apiKey: must be the API key of the upstream: printable ASCII characters/,
    ],
    ["a model without a source", { models: [{ name: "m" }] }, /^models\[0\]: needs exactly one of/],
    ["a model with two", { models: [{ name: "m", upstream, embedded: "x" }] }, /^models\[0\]: needs exactly one of/],
    [
      "no upstreams",
      { models: [{ name: "m", upstreams: [] }] },
      /^models\[0\]\.upstreams: needs at least one upstream/,
    ],
    [
      "a misspelt option of an upstream",
      { models: [{ name: "m", upstreams: [{ ...upstream, apiKye: "k" }] }] },
      /upstreams\[0\]\.apiKye: .*Did you mean "apiKey"/,
    ],
    [
      "two upstreams of one name",
      { models: [{ name: "m", upstreams: [upstream, { baseURL: `${upstream.baseURL}/?key=sk-secret` }] }] },
      /^models\[0\]\.upstreams\[1\]\.baseURL: is "http:\/\/localhost:11434\/v1", as models\[0\]\.upstreams\[0\]\.baseURL is/,
    ],
    [
      "a circuit breaker for one upstream",
      { models: [{ name: "m", upstream, circuitBreaker: {} }] },
      /^models\[0\]\.circuitBreaker: needs `upstreams`/,
    ],
    [
      "a circuit breaker that never opens",
      { models: [{ name: "m", upstreams: [upstream], circuitBreaker: { failures: 0 } }] },
      /circuitBreaker\.failures: must be a whole number from 1/,
    ],
    [
      "a constraint for unknown servers",
      { models: [{ name: "m", upstreams: [upstream], constraint: "auto" }] },
      /constraint: needs `backend`/,
    ],
    [
      "a constraint for an unknown server",
      { models: [{ name: "m", upstream, constraint: "auto" }] },
      /constraint: needs `backend`/,
    ],
    [
      "a name given twice",
      {
        models: [
          { name: "m", upstream },
          { name: "n", aliases: ["m"], upstream },
        ],
      },
      /^models\[1\]\.aliases\[0\]: is "m", as models\[0\]\.name is/,
    ],
    [
      "a hash that is none",
      { models: [{ name: "m", upstream }], server: { keys: [{ name: "a", hash: "12" }] } },
      /keys\[0\]\.hash: must be the SHA-256/,
    ],
    [
      "a key without a key",
      { models: [{ name: "m", upstream }], server: { keys: [{ name: "a" }] } },
      /keys\[0\]: needs either/,
    ],
    [
      "what no endpoint takes",
      { models: [{ name: "m", upstream: { ...upstream, headers: { "x-a": "b\n" } } }] },
      /^models\[0\]: `headers.x-a` has a character/,
    ],
    [
      "a limit that is none",
      { models: [{ name: "m", upstream }], server: { limits: { body: 0 } } },
      /limits\.body: must be a whole number from 1/,
    ],
  ])("with %s is refused, with the place and the correct form", (_, config, message) => {
    expect(issuesOf(config).join("\n")).toMatch(message);
  });

  it("has options that are checked too", () => {
    const config = { models: [{ name: "m", upstream }] };
    expect(() => createGateway(config, { lgo: console.log } as never)).toThrow(/no "lgo".*Did you mean "log"/);
    expect(() => createGateway(config, { log: true } as never)).toThrow(/`log` is a function, not true/);
  });

  it("never shows a key in its errors", () => {
    const keys = [{ name: "a", key: "sk-secret", hash: "no" }];
    const said = issuesOf({ models: [{ name: "m", upstream: { ...upstream, apiKey: 5 } }], server: { keys } });
    expect(said.length).toBeGreaterThan(1);
    expect(said.join("\n")).not.toContain("sk-secret");
  });
});
