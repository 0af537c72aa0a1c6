import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import type { Command } from "commander";
import { expect, test, vi } from "vitest";
import { main } from "../main.js";
import { createProgram } from "../program.js";
import type { Io } from "../terminal/io.js";
import { CommandContext } from "./context.js";

const silent = (): Io => ({
  ...{ stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() },
  ...{ env: {}, signals: new EventEmitter() },
});

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
    const io = silent();
    let said = "";
    io.stderr.on("data", (data) => {
      said += data;
    });
    expect(await main(argv, io)).toBe(64);
    expect(said).toMatch(/^error: /);
  },
);

test("an environment variable that is empty counts as unset", async () => {
  vi.stubEnv("TOOLINGUA_MODEL", "");
  const io = silent();
  let said = "";
  io.stderr.on("data", (data) => {
    said += data;
  });
  expect(await main(["chat", "Hi", "--once"], io)).toBe(64);
  expect(said).toBe("error: Which model? Give --model NAME, --upstream URL or --embedded [MODEL].\n");
  vi.unstubAllEnvs();
});

test.each([
  ["chat", "--upstream-key"],
  ["probe", "--api-key"],
  ["doctor", "http://x", "--api-key"],
  ["launch", "claude", "--key"],
])("a key that HTTP cannot carry is wrong usage, and not shown: %s %s", async (...argv) => {
  for (const key of ["schlüssel", "a\u0001b", "a\nb", "two words"]) {
    const io = silent();
    let said = "";
    io.stderr.on("data", (data) => {
      said += data;
    });
    expect(await main([...argv, key], io)).toBe(64);
    expect(said).toMatch(
      /^error: --\S*key is not a key that HTTP can carry: printable ASCII characters, without spaces\.\n$/,
    );
  }
});
