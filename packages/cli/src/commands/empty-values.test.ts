import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import type { Command } from "commander";
import { expect, onTestFinished, test, vi } from "vitest";
import { workplace } from "../../test/support/launch/workplace.js";
import { main } from "../main.js";
import { createProgram } from "../program.js";
import type { Io } from "../terminal/io.js";
import { CommandContext } from "./context.js";

const silent = (): Io => ({
  ...{ stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() },
  ...{ env: {}, signals: new EventEmitter() },
});

/** Runs a command line; gives its exit code and what it said on standard error. */
async function said(argv: readonly string[], env = {}): Promise<{ code: number; stderr: string }> {
  const io = { ...silent(), env };
  let stderr = "";
  io.stderr.on("data", (data) => {
    stderr += data;
  });
  return { code: await main(argv, io), stderr };
}

/** The command lines of all commands, with what each must have, and then an empty value. */
function linesOf(command: Command, path: readonly string[] = []): string[][] {
  const needed = command.registeredArguments.filter(({ required }) => required).map(() => "x");
  const options = command.options
    .filter(({ required, optional, flags }) => (required || optional) && !flags.includes("<text>"))
    .map(({ long }) => [...path, ...needed, long ?? "", ""]);
  const [first] = command.registeredArguments;
  const isFree = first === undefined || ["message", "arguments", "words"].includes(first.name());
  const inner = command.commands.flatMap((one) => linesOf(one, [...path, one.name()]));
  return [...options, ...(isFree ? [] : [[...path, ""]]), ...inner];
}

test.each(linesOf(createProgram(new CommandContext(silent()))))(
  "an empty value is wrong usage: %s %s %s %s",
  async (...argv) => {
    expect(await said(argv)).toEqual({ code: 64, stderr: expect.stringMatching(/^error: /) });
  },
);

test("an environment variable that is empty counts as unset", async () => {
  vi.stubEnv("TOOLINGUA_MODEL", "");
  const stderr = "error: Which model? Give --model NAME, --upstream URL or --embedded [MODEL].\n";
  expect(await said(["chat", "Hi", "--once"])).toEqual({ code: 64, stderr });
  vi.unstubAllEnvs();
});

test.each([
  ["chat", "--upstream-api-key"],
  ["probe", "--api-key"],
  ["doctor", "http://x", "--api-key"],
  ["launch", "claude", "--key"],
])("a key that HTTP cannot carry is wrong usage, and not shown: %s %s", async (...argv) => {
  for (const key of ["schlüssel", "a\u0001b", "a\nb", "two words"]) {
    expect(await said([...argv, key])).toEqual({
      code: 64,
      stderr: expect.stringMatching(
        /^error: --\S*key is not a key that HTTP can carry: printable ASCII characters, without spaces\.\n$/,
      ),
    });
  }
});

test.each([
  ["TOOLINGUA_UPSTREAM_API_KEY", ["chat", "Hi", "--once", "--upstream", "http://127.0.0.1:1", "--model", "m"]],
  ["TOOLINGUA_UPSTREAM_API_KEY", ["serve", "--upstream", "http://127.0.0.1:1", "--model", "m"]],
  ["TOOLINGUA_UPSTREAM_API_KEY", ["launch", "claude", "--upstream", "http://127.0.0.1:1", "--model", "m"]],
  ["TOOLINGUA_API_KEY", ["doctor", "http://127.0.0.1:1"]],
  ["TOOLINGUA_API_KEY", ["probe", "http://127.0.0.1:1"]],
])("of a variable it is wrong usage where it is used: %s, %j", async (variable, argv) => {
  vi.stubEnv(variable, "two words");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await said(argv)).toEqual({
    code: 64,
    stderr: `error: ${variable} is not a key that HTTP can carry: printable ASCII characters, without spaces.\n`,
  });
});

test.each([
  [["launch", "codex", "--restore"], { code: 0, stderr: "" }],
  [["chat", "Hi", "--embedded", "no-such-model"], { code: 70, stderr: expect.stringContaining("no-such-model") }],
  [["chat", "Hi", "--once"], { code: 64, stderr: expect.stringMatching(/^error: Which model\?/) }],
])("of a variable it is ignored by what needs no key: %j", async (argv, expected) => {
  vi.stubEnv("TOOLINGUA_UPSTREAM_API_KEY", "two words");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await said(argv, workplace().env)).toEqual(expected);
});
