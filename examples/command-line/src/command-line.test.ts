import { createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type CommandLine, decimal, type Given, portOf, run, wholeNumber } from "./command-line.js";

const line = {
  command: "npm run start:a",
  about: "Answers a question.",
  words: "question",
  options: {
    port: { value: "N", default: "3000", what: "where it listens; 0: any that is free" },
    json: { what: "prints JSON" },
    "no-retry": { what: "does not ask again" },
  },
} satisfies CommandLine<string>;
const bare = { command: "npm run start:b", about: "Waits.", options: {} };

async function ran(args: string[], of: CommandLine<string> = line, program = async (_: Given<string>) => {}) {
  vi.restoreAllMocks();
  const out = vi.spyOn(console, "log").mockImplementation(() => {});
  const err = vi.spyOn(console, "error").mockImplementation(() => {});
  const got: unknown[] = [];
  await run(
    of,
    async (given) => {
      got.push(given);
      await program(given);
    },
    args,
  );
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  return { code, out: out.mock.calls.flat().join("\n"), err: err.mock.calls.flat().join("\n"), got: got[0] };
}
afterEach(() => vi.restoreAllMocks());

describe("the command line of an example", () => {
  test("gives options, their defaults, and the words beside them", async () => {
    expect((await ran([])).got).toEqual({ options: { port: "3000" }, words: "" });
    const { got } = await ran(["What", "--json", "is it?", "--port=0"]);
    expect(got).toEqual({ options: { port: "0", json: "" }, words: "What is it?" });
    expect((await ran(["--no-retry"])).got).toEqual({ options: { port: "3000", "no-retry": "" }, words: "" });
  });

  test("prints its options with --help, and runs nothing", async () => {
    for (const help of ["--help", "-h"]) {
      const { code, out, err, got } = await ran([help]);
      expect({ code, err, got }).toEqual({ code: 0, err: "", got: undefined });
      expect(out).toContain("Usage: npm run start:a -- [options] [question]\n\nAnswers a question.\n");
      expect(out).toMatch(/--port <N> +where it listens; 0: any that is free \(default: "3000"\)/);
    }
  });

  test.each([
    [line, ["--nope"], "unknown option '--nope'"],
    [line, ["--prot=1"], "Did you mean --port?"],
    [line, ["--port"], "option '--port <N>' argument missing"],
    [bare, ["word"], "too many arguments"],
  ])("says what is wrong, and ends with 2: %j %j", async (of, args, err) => {
    const found = await ran(args, of);
    expect(found).toMatchObject({ code: 2, out: "", got: undefined });
    expect(found.err).toContain(err);
  });

  test.each([
    [() => portOf("65536"), "--port 65536: give a whole number from 0 to 65535."],
    [() => portOf(""), "--port needs a whole number from 0 to 65535."],
    [() => wholeNumber("--workers", undefined, 2), "--workers needs a whole number from 2."],
    [() => decimal("--temperature", "3", 0, 2), "--temperature 3: give a number from 0 to 2."],
    [() => decimal("--temperature", " ", 0, 2), "--temperature  : give a number from 0 to 2."],
    [() => decimal("--temperature", "hot"), "--temperature hot: give a number from 0."],
    [() => wholeNumber("--workers", "1.5", 2), "--workers 1.5: give a whole number from 2."],
  ])("and so for values", async (read, err) => {
    expect(await ran([], line, async () => void read())).toMatchObject({ code: 2, err });
  });

  test("ends with 1 and the message of another error", async () => {
    const failing = async () => Promise.reject(new Error("The model is not there."));
    expect(await ran([], line, failing)).toMatchObject({ code: 1, err: "The model is not there." });
  });

  test("says that a port is taken", async () => {
    const first = createServer();
    await new Promise<void>((resolve) => first.listen(0, "127.0.0.1", resolve));
    const { port } = first.address() as { port: number };
    const again = () =>
      new Promise<void>((resolve, reject) => createServer().once("error", reject).listen(port, "127.0.0.1", resolve));
    const err = `Port ${port} is taken: choose another with --port; 0 chooses a free one.`;
    expect(await ran([], line, again)).toMatchObject({ code: 1, err });
    first.close();
  });
});
