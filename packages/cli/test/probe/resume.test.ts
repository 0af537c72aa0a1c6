import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { main } from "../../src/main.js";
import { cli } from "../support/cli.js";
import { command } from "../support/processes.js";
import { scratchFolder } from "./scratch.js";
import { scriptedModel } from "./scripted-model.js";

const ways = ["-p", "hermes,xml,pythonic", "--no-server-tools"];

/** A report without what depends on how fast the machine is, and on where the state lies. */
function comparable(stdout: string) {
  return JSON.parse(stdout, (key, value) => (key === "ms" || key === "state" ? undefined : value));
}

test("a killed probe continues: no question is asked twice, and the report is that of one run", async () => {
  const env = { TOOLINGUA_CACHE: scratchFolder() };
  let child: ReturnType<typeof spawn> | undefined;
  const { url, requests } = await scriptedModel({
    speaks: "hermes",
    writes: "asked",
    noise: 0.2,
    instead: (_, number) => {
      if (number !== 11) return false;
      child?.kill("SIGKILL");
      return true;
    },
  });
  const argv = ["probe", url, ...ways, "--json"];
  child = spawn(process.execPath, [command, ...argv], { env: { ...process.env, ...env }, stdio: "ignore" });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  expect(requests.length).toBe(11);

  const resumed = await cli(argv, { env });
  expect(resumed.stderr).toContain("Going on with 10 answers in ");
  const inOne = await cli([...argv, "--quiet"], { env: { TOOLINGUA_CACHE: scratchFolder() } });
  expect(comparable(resumed.stdout)).toEqual(comparable(inOne.stdout));
  // What was on its way when the process died is asked again, nothing else.
  const contents = requests.map((request) => JSON.stringify(request));
  const times = (one: string) => contents.filter((other) => other === one).length;
  expect([...new Set(contents)].map(times).filter((count) => count !== 2)).toEqual([3]);

  const before = requests.length;
  const again = await cli(argv, { env });
  expect(requests.length).toBe(before);
  expect(comparable(again.stdout)).toEqual(comparable(inOne.stdout));

  const fresh = await cli([...argv, "--fresh"], { env });
  expect(fresh.stderr).not.toContain("Going on");
  expect(requests.length).toBeGreaterThan(before);
});

test("more questions and more formats reuse the same answers", async () => {
  const env = { TOOLINGUA_CACHE: scratchFolder() };
  const { url, requests } = await scriptedModel({ speaks: "hermes", writes: "always" });
  await cli(["probe", url, "-p", "hermes", "-n", "4", "--no-server-tools"], { env });
  expect(requests.length).toBe(4);
  await cli(["probe", url, "-p", "hermes,xml", "-n", "8", "--no-server-tools"], { env });
  expect(requests.length).toBe(16);
});

test("Ctrl-C ends with 130, and keeps the answers", async () => {
  const env = { TOOLINGUA_CACHE: scratchFolder() };
  const signals = new EventEmitter();
  const { url } = await scriptedModel({
    speaks: "hermes",
    writes: "always",
    instead: (_, number) => number === 6 && signals.emit("SIGINT"),
  });
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await main(["probe", url, ...ways], { stdin: Readable.from([]), stdout, stderr, env, signals });
  stdout.end();
  stderr.end();
  expect([code, await text(stdout)]).toEqual([130, ""]);
  expect(await text(stderr)).toContain("5 answers are kept: the same command goes on.");
  expect(signals.listenerCount("SIGINT")).toBe(0);
});

test("Ctrl-C ends with 130 while the server is asked for its model, too", async () => {
  const signals = new EventEmitter();
  const server = createServer(() => signals.emit("SIGINT")).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { code, stdout, stderr } = await cli(["probe", `http://127.0.0.1:${port}`], { signals });
  expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: "", stderr: "" });
  expect(signals.eventNames()).toEqual([]);
});

test("a truncated line is ignored", async () => {
  const cache = scratchFolder();
  const env = { TOOLINGUA_CACHE: cache };
  const { url, requests } = await scriptedModel({ speaks: "hermes", writes: "always" });
  const argv = ["probe", url, "-p", "hermes", "-n", "4", "--no-server-tools", "--json"];
  const whole = await cli(argv, { env });
  const [name = ""] = readdirSync(join(cache, "probes"));
  expect(name).toMatch(/^scripted-[0-9a-f]{12}\.jsonl$/);
  const file = join(cache, "probes", name);
  writeFileSync(file, readFileSync(file, "utf8").slice(0, -20));
  const resumed = await cli(argv, { env });
  expect(comparable(resumed.stdout)).toEqual(comparable(whole.stdout));
  expect(requests.length).toBe(5);
  // And the file is whole again.
  for (const line of readFileSync(file, "utf8").trim().split("\n").slice(0, 4)) JSON.parse(line);
  await cli(argv, { env });
  expect(requests.length).toBe(5);
});

test.each([
  ["of something else", '{"a":1}\n', "is not the state of a probe"],
  ["that is no JSON", "hello\n", "is not the state of a probe"],
  ["of another version", '{"format":"toolingua-probe-0"}\n', "was written by another version"],
  [
    "of another model",
    '{"format":"toolingua-probe-1","model":"other"}\n',
    'is of a probe with another model: "other", not "scripted"',
  ],
])("a state file %s is refused, and not changed", async (_, content, message) => {
  const file = join(scratchFolder(), "state.jsonl");
  writeFileSync(file, content);
  const { url } = await scriptedModel({ speaks: "hermes", writes: "always" });
  const { code, stderr } = await cli(["probe", url, "--state", file]);
  expect(code).toBe(70);
  expect(stderr).toContain(`${file} ${message}. Give another file as --state, or --fresh to begin it anew.`);
  expect(readFileSync(file, "utf8")).toBe(content);
});
