import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { serve } from "@toolingua/gateway";
import { describe, expect, onTestFinished, test } from "vitest";
import { cli } from "./support/cli.js";
import { breakages } from "./support/doctor/breakages.js";
import { brokenServer, rightServer } from "./support/doctor/broken-server.js";
import { scriptedModel } from "./support/doctor/scripted-model.js";

const broken = (title: string) => {
  const found = breakages.find((one) => one.title === title);
  if (!found) throw new Error(`there is no "${title}"`);
  return brokenServer(found.breaking);
};

describe("toolingua doctor", () => {
  test("reports that all clients work, and ends with 0", async () => {
    const url = await rightServer();
    const { code, stdout } = await cli(["doctor", url]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${url}/v1, model m: `);
    expect(stdout).toMatch(/Claude Code +Messages +works/);
    expect(stdout).toMatch(/\n0 faults, 0 warnings, \d+ passed, \d+ not seen\.\n$/);
  });

  test("reports what is wrong, what the specification says, and how each client breaks, and ends with 1", async () => {
    const { code, stdout, stderr } = await cli([
      "doctor",
      await broken("deltas of calls have no index"),
      "--patience",
      "1",
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "`--all` shows what passed and what was not seen.\n" });
    expect(stdout).toMatch(/OpenAI SDK +Chat Completions +breaks +chat\.stream\.index/);
    expect(stdout).toMatch(/AI SDK +Chat Completions +works/);
    expect(stdout).toContain(
      [
        "✗ Each delta of a call has the call's index  chat.stream.index",
        '  seen: in "streamed call" a delta of get_weather has no index (and in 5 more)',
        "  specification: `tool_calls[].index` is a number, from 0. https://platform.openai.com/docs/api-reference/chat-streaming",
        "  OpenAI SDK: the call is lost",
        "  LangChain: the call is lost",
      ].join("\n"),
    );
    expect(stdout).toContain("\n1 fault, 0 warnings,");
  });

  test("prints the same as JSON, for one client", async () => {
    const url = await broken("items are never done");
    const { code, stdout, stderr } = await cli([
      "doctor",
      `${url}/v1/`,
      "--client",
      "codex",
      "--json",
      "--patience",
      "1",
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      url: `${url}/v1`,
      model: "m",
      apis: [{ api: "responses", title: "Responses", served: true }],
      clients: [
        { client: "codex", title: "Codex", api: "responses", status: "breaks", because: ["responses.stream.done"] },
      ],
      counts: { fault: 1, warning: 0 },
    });
    const fault = report.checks.find(({ status }: { status: string }) => status === "fault");
    expect(fault).toMatchObject({
      id: "responses.stream.done",
      breaks: [{ client: "codex", how: "no call is run: it takes calls from this event alone" }],
    });
  });

  test("reports a missing API", async () => {
    const url = await brokenServer({
      request(_, answer, path) {
        if (path !== "/v1/chat/completions") answer(404, { error: { message: "Not found", type: "not_found" } });
      },
    });
    const { code, stdout } = await cli(["doctor", url, "--patience", "1"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Codex +Responses +API not there/);
    expect(stdout).toMatch(/OpenAI SDK +Chat Completions +works/);
  });

  test("does not report a model without calls as a broken server", async () => {
    const silent = await serve({
      models: [{ name: "m", protocol: "hermes", model: scriptedModel({ isSilent: true }) }],
      server: { port: 0 },
    });
    onTestFinished(() => silent.close());
    const { code, stdout } = await cli(["doctor", silent.url, "--json", "--client", "openai-sdk"]);
    const report = JSON.parse(stdout);
    const found = report.checks.filter(({ status }: { status: string }) => status === "fault" || status === "warning");
    expect({ code, found: found.map(({ id, status }: { id: string; status: string }) => `${status} ${id}`) }).toEqual({
      code: 0,
      found: ["chat", "responses"].flatMap((api) =>
        ["required", "named"].map((choice) => `warning ${api}.tool-choice.${choice}`),
      ),
    });
    expect(found[0].seen).toContain("the model called in no other answer either");
    expect(report.clients[0].status).toBe("unseen");
  });

  test("sends the key, and omits it from the trace", async () => {
    const gateway = await serve({
      models: [{ name: "m", protocol: "hermes", model: scriptedModel() }],
      server: { port: 0, keys: [{ name: "me", key: "sk-the-key-of-the-test" }] },
    });
    onTestFinished(() => gateway.close());
    const folder = mkdtempSync(join(tmpdir(), "toolingua-doctor-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const trace = join(folder, "trace.ndjson");
    const argv = ["doctor", gateway.url, "--model", "m", "--client", "claude-code", "--trace", trace, "--json"];
    const without = await cli(argv);
    expect(without.code).toBe(70);
    expect(JSON.parse(without.stderr).error.message).toMatch(/^The server answered 401: .* Give --api-key\.$/);
    const { code, stdout } = await cli(argv, { env: {}, stdin: "" }).then(() =>
      cli([...argv, "--api-key", "sk-the-key-of-the-test"]),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).counts.fault).toBe(0);
    const text = readFileSync(trace, "utf8");
    expect(text).not.toContain("sk-the-key-of-the-test");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ name }) => name)).toContain("messages: streamed call");
    expect(lines.find(({ name }) => name === "messages: wrong key")).toMatchObject({ status: 401 });
  });

  test("shows a server's model names and messages on one line, without control characters", async () => {
    const model = "m\u001b[2J\u009b31m\n0 faults\u202e";
    const server = createServer((request, response) => {
      if (request.url === "/v1/models") response.end(JSON.stringify({ object: "list", data: [{ id: model }] }));
      else if (request.url !== "/v1/chat/completions") response.writeHead(404).end("{}");
      else response.writeHead(500).end(JSON.stringify({ error: { message: model } }));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const url = `http://127.0.0.1:${address.port}`;
    const { code, stdout } = await cli(["doctor", url], { env: { FORCE_COLOR: "1" } });
    expect(code).toBe(1);
    expect(stdout).toContain("model m␛[2J�31m␊0 faults�: ");
    expect(stripVTControlCharacters(stdout)).not.toMatch(/[^\P{C}\n]/u);
    const json = await cli(["doctor", url, "--json"]);
    expect(json.stdout).not.toMatch(/[^\P{C}\n]/u);
    expect(JSON.parse(json.stdout).model).toBe(model);
  });

  test("says that a server stopped answering, instead of blaming its APIs", async () => {
    let left = 3;
    const server = createServer((request, response) => {
      if (left-- === 0) return void server.close(() => {}).closeAllConnections();
      if (request.url === "/v1/models") response.end(JSON.stringify({ object: "list", data: [{ id: "m" }] }));
      else response.writeHead(500, { connection: "close" }).end("{}");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const { code, stdout, stderr } = await cli(["doctor", `http://127.0.0.1:${address.port}`]);
    expect([code, stdout]).toEqual([70, ""]);
    expect(stderr).toMatch(/^error: The server stopped answering at request \d+, "Messages: [^"]+": .*\. See its log/);
  });

  test("does not begin if the trace cannot be written", async () => {
    const path = join(tmpdir(), "no-such-folder", "trace.ndjson");
    const { code, stderr } = await cli(["doctor", "http://127.0.0.1:2", "--trace", path]);
    expect(code).toBe(70);
    expect(stderr).toBe(`error: There is no folder for ${path}.\n`);
    const folder = await cli(["doctor", "http://127.0.0.1:2", "--trace", tmpdir()]);
    expect(folder.stderr).toBe(`error: ${tmpdir()} is a folder; the name of a file is needed.\n`);
  });

  test.each([
    [["doctor"], 64, "missing required argument 'url'"],
    [
      ["doctor", "ftp://a"],
      64,
      '"ftp://a" has the protocol ftp:, not http: or https:. Give one such as http://localhost:8080.',
    ],
    [["doctor", "http://127.0.0.1:2", "--client", "codx"], 64, 'There is no client "codx". Did you mean "codex"?'],
    [["doctor", "http://127.0.0.1:2", "--timeout", "soon"], 64, "A number of seconds above 0 is needed, at most"],
    [["doctor", "http://127.0.0.1:2"], 70, "There is no answer from http://127.0.0.1:2/v1: "],
    [["doctor", "127.0.0.1:2"], 70, "There is no answer from http://127.0.0.1:2/v1: "],
    [["doctor", "http://127.0.0.1:6000"], 64, "http://127.0.0.1:6000 cannot be reached: Node.js,"],
    [["doctor", "localhost:2/v1"], 70, "There is no answer from http://localhost:2/v1: "],
  ])("%j ends with %i and the reason", async (argv, expected, message) => {
    const { code, stderr } = await cli(argv);
    expect(code).toBe(expected);
    expect(stderr).toContain(message);
  });
});
