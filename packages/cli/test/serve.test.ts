import { EventEmitter, once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { reply } from "../../endpoints/test/support/scripted-server.js";
import { type CliRun, cli } from "./support/cli.js";

// A server that has one model, which makes the same call unless a test has it say something else.
const call = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>';
let upstream: Server;
let said = call;
let models = ["tiny", "m"];
/** How often the models were listed. */
let listings = 0;
let headers: (string | undefined)[] = [];
let folder: string;
const url = () => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-serve-"));
  upstream = createServer((request, response) => {
    if (request.url !== "/v1/models") headers.push(request.headers.authorization);
    if (request.url === "/v1/models") listings++;
    if (request.url === "/v1/models") response.end(JSON.stringify({ data: models.map((id) => ({ id })) }));
    else response.end(reply(said).join(""));
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
});
afterAll(async () => {
  upstream.close();
  await rm(folder, { recursive: true, force: true });
});

interface Serving {
  url: string;
  events: { event: string; [field: string]: unknown }[];
  signal(name: string): void;
  ended: Promise<CliRun>;
}

/** Runs `toolingua serve --port 0 --json` until it listens. */
async function serving(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Serving> {
  const signals = new EventEmitter();
  const events: Serving["events"] = [];
  const heard = new EventEmitter();
  const ended = cli(["serve", ...args, "--port", "0", "--json"], {
    signals,
    env,
    onStdout: (lines) => {
      for (const line of lines.trimEnd().split("\n")) {
        const event = JSON.parse(line);
        events.push(event);
        if (event.event === "listening") heard.emit("listening", event);
      }
    },
  });
  const first = await Promise.race([once(heard, "listening"), ended]);
  if (!Array.isArray(first)) throw new Error(first.stderr);
  return { url: first[0].url, events, ended, signal: (name) => void signals.emit(name) };
}

const ask = async (gateway: Serving, model: string, key?: string) => {
  const tools = [{ type: "function", function: { name: "now" } }];
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "What time is it?" }], tools }),
  });
  const body = (await response.json()) as { choices?: { message: { tool_calls: object[] } }[] };
  return { status: response.status, calls: body.choices?.[0]?.message.tool_calls };
};

describe("toolingua serve", () => {
  test("writes a line for each request, whatever the model's name", async () => {
    const name = "tiny\u001b[2J\n200 chat tiny";
    models = [name];
    const signals = new EventEmitter();
    let gateway = "";
    const listening = new Promise<void>((resolve) => {
      signals.once("listening", resolve);
    });
    const ended = cli(["serve", "--upstream", url(), "--port", "0"], {
      signals,
      onStdout: (text) => {
        gateway = /listening on (\S+)/.exec(text)?.[1] ?? gateway;
        signals.emit("listening");
      },
    });
    await Promise.race([listening, ended]);
    const body = JSON.stringify({ model: name, messages: [{ role: "user", content: "Hi" }] });
    await (await fetch(`${gateway}/v1/chat/completions`, { method: "POST", body })).text();
    signals.emit("SIGTERM");
    const { stderr } = await ended;
    models = ["tiny", "m"];
    expect(stderr).toContain("  models     tiny␛[2J␊200 chat tiny (no key is needed)\n");
    expect(stderr).toMatch(/^200 chat tiny␛\[2J␊200 chat tiny \d+ ms/m);
  });

  test("says that the model's server cannot be reached, or wants a key, if the model is to be found there", async () => {
    const { code, stderr } = await cli(["serve", "--upstream", "http://127.0.0.1:2/v1", "--port", "0"]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^error: Cannot reach http:\/\/127\.0\.0\.1:2\/v1\/models: .*Is the server running\?\n$/);
    const wary = createServer((_, response) => response.writeHead(401).end()).listen(0, "127.0.0.1");
    await once(wary, "listening");
    const at = `http://127.0.0.1:${(wary.address() as AddressInfo).port}/v1`;
    const refused = await cli(["serve", "--upstream", at, "--port", "0"]);
    wary.close();
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining("It wants an API key.")]);
  });

  test("serves one model from flags, until SIGTERM", async () => {
    const gateway = await serving([
      "--upstream",
      url(),
      "--model",
      "m",
      "--upstream-api-key",
      "up",
      "--alias",
      "gpt-*",
      "-p",
      "hermes",
    ]);
    headers = [];
    for (const name of ["m", "gpt-4o"]) {
      const { calls } = await ask(gateway, name);
      expect(calls).toMatchObject([{ function: { name: "now", arguments: "{}" } }]);
    }
    expect(headers).toEqual(["Bearer up", "Bearer up"]);
    gateway.signal("SIGTERM");
    const { code, stderr } = await gateway.ended;
    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(gateway.events.map(({ event }) => event)).toEqual(["listening", "request", "request", "closed"]);
    expect(gateway.events[1]).toMatchObject({ api: "chat", model: "m", status: 200, calls: 1 });
  });

  test("notes a model that its server does not list, and serves it", async () => {
    const file = join(folder, "typo.yaml");
    await writeFile(file, `models: [{ name: tinny, upstream: { baseURL: "${url()}" } }]\n`);
    for (const flags of [
      ["--upstream", url(), "--model", "tinny"],
      ["--config", file],
    ]) {
      const signals = new EventEmitter();
      const onStderr = (text: string) => {
        if (text.includes("lists no model")) signals.emit("SIGTERM");
      };
      const { code, stderr } = await cli(["serve", ...flags, "--port", "0"], { signals, onStderr });
      expect(code).toBe(0);
      expect(stderr).toContain('\nThe server lists no model "tinny". Did you mean "tiny"?\n');
    }
  });

  test("asks a server of several models once, and names the models", async () => {
    const file = join(folder, "several.yaml");
    const at = (name: string, address = url()) => `{ name: ${name}, upstream: { baseURL: "${address}" } }`;
    const refused = "http://127.0.0.1:9/v1";
    await writeFile(file, `models: [${at("tinny")}, ${at("tiny")}, ${at("a", refused)}, ${at("b", refused)}]\n`);
    listings = 0;
    const signals = new EventEmitter();
    const onStderr = (text: string) => {
      if (text.includes("connects to no port")) signals.emit("SIGTERM");
    };
    const { stderr } = await cli(["serve", "--config", file, "--port", "0"], { signals, onStderr });
    expect(stderr).toContain('\ntinny: The server lists no model "tinny". Did you mean "tiny"?\n');
    expect(stderr).toContain("\na, b: http://127.0.0.1:9 cannot be reached");
    expect(listings).toBe(1);
  });

  test("is quiet about a server that lists nothing, or is not there yet", async () => {
    models = [];
    onTestFinished(() => {
      models = ["tiny", "m"];
    });
    for (const upstream of [url(), "http://127.0.0.1:2/v1"]) {
      const gateway = await serving(["--upstream", upstream, "--model", "m"]);
      await ask(gateway, "m");
      gateway.signal("SIGTERM");
      expect(await gateway.ended).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("runs no call of reasoning that the template opened, with --start-with-reasoning", async () => {
    said = `I could use ${call} but no.\n</think>\n\nHi`;
    onTestFinished(() => {
      said = call;
    });
    for (const [flags, calls] of [
      [[], 1],
      [["--start-with-reasoning"], 0],
    ] as const) {
      const gateway = await serving(["--upstream", url(), "--model", "m", "-p", "hermes", ...flags]);
      expect((await ask(gateway, "m")).calls ?? []).toHaveLength(calls);
      gateway.signal("SIGTERM");
      await gateway.ended;
    }
  });

  test("ends with 130 by SIGINT", async () => {
    const gateway = await serving(["--upstream", url(), "--model", "m"]);
    gateway.signal("SIGINT");
    expect((await gateway.ended).code).toBe(130);
  });

  test("asks the server for its model if none is named", async () => {
    onTestFinished(() => {
      models = ["tiny", "m"];
    });
    models = ["tiny"];
    const gateway = await serving(["--upstream", url()]);
    const { data } = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: { id: string }[] };
    gateway.signal("SIGTERM");
    await gateway.ended;
    expect(data.map(({ id }) => id)).toContain("tiny");
    models = ["tiny", "large"];
    const { code, stderr } = await cli(["serve", "--upstream", url()]);
    expect(code).toBe(64);
    expect(stderr).toContain("has tiny, large.");
  });

  test("requires keys if there are any, from flags or from TOOLINGUA_API_KEYS", async () => {
    for (const [args, env] of [
      [["--api-key", "one", "--api-key", "two"], {}],
      [[], { TOOLINGUA_API_KEYS: "one,two" }],
    ] as const) {
      const gateway = await serving(["--upstream", url(), "--model", "m", ...args], env);
      expect((await ask(gateway, "m")).status).toBe(401);
      expect((await ask(gateway, "m", "two")).status).toBe(200);
      gateway.signal("SIGTERM");
      await gateway.ended;
    }
  });

  test.each<[string[], NodeJS.ProcessEnv, string]>([
    [["--api-key", ""], { TOOLINGUA_API_KEYS: "secret" }, "'--api-key <key>' argument '' is invalid. It is empty"],
    [["--api-key", "one", "--api-key", " "], {}, "'--api-key <key>' argument ' ' is invalid. It is empty"],
    [[], { TOOLINGUA_API_KEYS: "" }, "TOOLINGUA_API_KEYS has an empty key: give the key that clients must send"],
    [
      [],
      { TOOLINGUA_API_KEYS: "one,,two" },
      "TOOLINGUA_API_KEYS has an empty key: give the key that clients must send",
    ],
  ])("starts no open gateway for an empty key: %j %j", async (args, env, problem) => {
    const argv = ["serve", "--upstream", url(), "--model", "m", "--port", "0", ...args];
    const signals = new EventEmitter();
    const { code, stderr } = await cli(argv, { env, signals, onStdout: () => signals.emit("SIGTERM") });
    expect([code, stderr]).toEqual([64, expect.stringContaining(problem)]);
  });

  test("reads its file again at SIGHUP; an invalid one changes nothing", async () => {
    const file = join(folder, "toolingua.yaml");
    const config = (name: string) => `models: [{ name: ${name}, upstream: { baseURL: "${url()}" } }]\n`;
    await writeFile(file, config("one"));
    const gateway = await serving(["--config", file]);
    const until = async (count: number) => {
      while (gateway.events.filter(({ event }) => event === "reloaded" || event === "error").length < count) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await writeFile(file, "models: [{ nam: two }]\n");
    gateway.signal("SIGHUP");
    await until(1);
    expect((await ask(gateway, "one")).status).toBe(200);
    await writeFile(file, config("two"));
    gateway.signal("SIGHUP");
    await until(2);
    expect((await ask(gateway, "one")).status).toBe(404);
    expect((await ask(gateway, "two")).status).toBe(200);
    gateway.signal("SIGTERM");
    await gateway.ended;
    const failure = gateway.events.find(({ event }) => event === "error");
    expect(failure?.message).toContain('There is no "nam" here. Did you mean "name"?');
  });

  test("uses the file's limits, and flags override them", async () => {
    const file = join(folder, "limits.yaml");
    await writeFile(
      file,
      `models: [{ name: m, upstream: { baseURL: "${url()}" } }]\nserver: { limits: { body: 10, rate: 1 } }\n`,
    );
    const gateway = await serving(["--config", file, "--max-body", "100000"]);
    expect((await ask(gateway, "m")).status).toBe(200);
    expect((await ask(gateway, "m")).status).toBe(429);
    gateway.signal("SIGTERM");
    await gateway.ended;
  });

  test("takes the address of a server as chat does, without http:// and /v1", async () => {
    const { host } = new URL(url());
    const gateway = await serving(["--upstream", host, "--model", "tiny"]);
    expect((await ask(gateway, "tiny")).status).toBe(200);
    gateway.signal("SIGTERM");
    await gateway.ended;
  });

  test("says who can reach a model without a key", async () => {
    const hintOf = async (...flags: string[]) => {
      const signals = new EventEmitter();
      const ended = cli(["serve", "--upstream", url(), "--model", "tiny", "--port", "0", ...flags], {
        signals,
        onStdout: () => signals.emit("SIGTERM"),
      });
      return (await ended).stderr;
    };
    const warning = "Anyone who reaches 0.0.0.0 can use the models";
    expect(await hintOf("--host", "0.0.0.0")).toContain(warning);
    expect(await hintOf("--host", "0.0.0.0", "--api-key", "secret")).not.toContain(warning);
    expect(await hintOf()).not.toContain("Anyone");
  });

  test("ignores no flag that the folder's file says as well", async () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(await mkdtemp(join(folder, "with-file-")));
    await writeFile("toolingua.yaml", "models: []");
    const { code, stderr } = await cli(["serve", "--model", "m", "--protocol", "xml"]);
    const problem = "toolingua.yaml in this folder defines the models: change --model, --protocol there";
    expect([code, stderr]).toEqual([64, expect.stringContaining(problem)]);
  });

  test("explains what it needs, and what is wrong", async () => {
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await cli(["serve", ...args]);
      return [code, stderr] as const;
    };
    expect(await wrong()).toEqual([
      64,
      expect.stringContaining("The model to serve is missing: give --upstream URL --model NAME"),
    ]);
    expect(await wrong("--config", "a.yaml", "--model", "m", "--no-live-calls")).toEqual([
      64,
      expect.stringContaining("--model, --no-live-calls and --config cannot be given together"),
    ]);
    expect(await wrong("--upstream", "x", "--embedded")).toEqual([64, expect.stringContaining("cannot be used with")]);
    expect(await wrong("--upstream", "ftp://host", "--model", "m")).toEqual([
      64,
      expect.stringContaining('"ftp://host" has the protocol ftp:, not http: or https:. Give one such as'),
    ]);
    expect(await wrong("--model", "no-such-model")).toEqual([
      70,
      expect.stringContaining('There is no model "no-such-model"'),
    ]);
    const gone = join(folder, "gone.yaml");
    expect(await wrong("--config", gone)).toEqual([
      70,
      `error: The configuration cannot be used:\n- there is no file ${gone}\n`,
    ]);
    expect(await wrong("--upstream", url(), "--model", "m", "-p", "hermse")).toEqual([
      64,
      expect.stringContaining('"hermes"?'),
    ]);
    expect(await wrong("--port", "70000")).toEqual([64, expect.stringContaining("A port from 0 to 65535")]);
    expect(await wrong("--timeout", "-1")).toEqual([64, expect.stringContaining("seconds above 0")]);
    const { port } = upstream.address() as AddressInfo;
    expect(await wrong("--upstream", url(), "--model", "m", "--port", String(port))).toEqual([
      70,
      `error: Port ${port} of 127.0.0.1 is taken. Choose another with --port; 0 chooses a free one.\n`,
    ]);
  });
});
