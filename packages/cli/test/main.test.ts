import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { CommandContext } from "../src/commands/context.js";
import { createProgram } from "../src/program.js";
import { processIo } from "../src/terminal/io.js";
import { cli } from "./support/cli.js";

describe("the command line", () => {
  test("shows help, and ends with 0", async () => {
    const { code, stdout, stderr } = await cli(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Usage: toolingua [options] [command]");
  });

  test.each([
    [["help"], "Usage: toolingua [options] [command]"],
    [["help", "pml"], "Usage: toolingua pml"],
    [["pml", "--help"], "Usage: toolingua pml"],
    [["pml", "count", "--help"], "Usage: toolingua pml count"],
  ])("shows the help of %j, and ends with 0", async (argv, usage) => {
    const { code, stdout, stderr } = await cli(argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(usage);
  });

  test("without a command shows help on standard error, and ends with 64", async () => {
    const { code, stdout, stderr } = await cli([]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toContain("Usage: toolingua");
    expect(stderr).not.toContain("error");
  });

  test("leaves line breaks in descriptions to the terminal's width", () => {
    const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
    for (const command of all(createProgram(new CommandContext(processIo())))) {
      expect(command.description(), command.name()).not.toContain("\n");
    }
  });

  test.each([
    [["protocls"], "unknown command 'protocls'\n(Did you mean protocols?)\n--help lists the commands."],
    [["help", "protocls"], "unknown command 'protocls'\n(Did you mean protocols?)\n--help lists the commands."],
    [["pml", "help", "nope"], "unknown command 'nope'\n--help lists the commands."],
    [["chat", "hi", "-m", "m", "-u", "localhost:99999"], '"localhost:99999" has the port 99999, above 65535. Give one'],
    [
      ["schema", "--mcp", "localhost:3000/mcp"],
      "localhost:3000/mcp is an address, not a command. Did you mean http://loc",
    ],
    [["nope"], "unknown command 'nope'\n--help lists the commands."],
    [["protocls", "--help"], "unknown command 'protocls'\n(Did you mean protocols?)\n--help lists the commands."],
    [["pml", "nope", "--help"], "unknown command 'nope'\n--help lists the commands."],
    [
      ["protocols", "--model", ""],
      "option '-m, --model <name>' argument '' is invalid. It is empty: a value is needed.",
    ],
    [["protocols", "nope"], 'There is no protocol "nope". `toolingua protocols` lists all.'],
    [["pml", "convert", "--from", "opanai"], 'openai-functions, anthropic, gemini. Did you mean "openai"?'],
    [
      ["schema", "t.json", "--provider", "x"],
      "Allowed choices are toolingua, openai, openai-responses, openai-functions,",
    ],
    [["protocols", "--jsn"], "unknown option '--jsn'\n(Did you mean --json?)"],
    [["protocols", "a", "b"], "too many arguments"],
  ])("explains what is wrong with %j, and ends with 64", async (argv, message) => {
    const { code, stdout, stderr } = await cli(argv);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("shows control characters of an error as pictures, also in its stack", async () => {
    const { stderr } = await cli(["protocols", "\u001b[2Jx"], { env: { TOOLINGUA_DEBUG: "1" } });
    expect(stderr).toContain("    at ");
    expect(stderr.split("␛[2Jx").length).toBe(3);
    expect(stderr).not.toContain("\u001b");
  });

  test.each([["serve"], ["doctor", "http://127.0.0.1:9"], ["probe", "http://127.0.0.1:9"]])(
    "explains an option that several commands share in the same words: %s",
    async (...argv) => {
      for (const time of ["0", "1e9"]) {
        const { code, stderr } = await cli([...argv, "--timeout", time]);
        expect([code, stderr]).toEqual([
          64,
          expect.stringContaining("A number of seconds above 0 is needed, at most 2147483.647."),
        ]);
      }
    },
  );

  test("prints errors as JSON if JSON is requested", async () => {
    const { code, stdout, stderr } = await cli(["protocols", "herms", "--json"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      error: { code: "usage", message: 'There is no protocol "herms". Did you mean "hermes"?' },
    });
  });
});
