import { spawnSync } from "node:child_process";
import { protocols } from "@toolingua/core";
import { describe, expect, test } from "vitest";
import { type CliRun, cli } from "./support/cli.js";
import { inPipe } from "./support/processes.js";

const values = async (...words: string[]) => valuesOf(await cli(["complete", "--", ...words]));

const valuesOf = ({ code, stdout }: CliRun) => {
  expect(code).toBe(0);
  return stdout
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith(":"))
    .map((line) => line.split("\t")[0]);
};

describe("completions", () => {
  test("include commands and their subcommands", async () => {
    expect(await values("pr")).toEqual(["probe", "protocols"]);
    expect(await values("models", "")).toEqual(["list", "pull", "remove", "help"]);
  });

  test("include options, their values, wire formats and files", async () => {
    expect(await values("serve", "--ba")).toEqual(["--backend"]);
    expect(await values("serve", "--backend", "")).toEqual(["llama.cpp", "ollama", "openai", "vllm", "sglang"]);
    expect(await values("parse", "--protocol", "")).toEqual(["auto", ...Object.keys(protocols)]);
    expect(await values("serve", "--protocol", "")).toEqual(Object.keys(protocols));
    expect(await values("parse", "-p", "kimi")).toEqual(["kimi-k2", "kimi-k3"]);
    expect(await values("protocols", "kimi")).toEqual(["kimi-k2", "kimi-k3"]);
    // In the folder where the command runs.
    const files = await inPipe(["complete", "--", "parse", "--tools", "too"]);
    expect(valuesOf(files)).toEqual(["tools.json", "tools.ts"]);
    expect(await values("launch", "c")).toEqual(["claude", "codex"]);
    expect(await values("doctor", "--client", "cla")).toEqual(["claude-code"]);
    expect(await values("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  describe.each(["bash", "zsh", "fish"])("for %s", (shell) => {
    test("have a script", async () => {
      const { code, stdout } = await cli(["completion", shell]);
      expect(code).toBe(0);
      expect(stdout).toContain("toolingua complete --");
      const json = await cli(["completion", shell, "--json"]);
      expect(`${JSON.parse(json.stdout).script}\n`).toBe(stdout);
    });

    test.skipIf(spawnSync(shell, ["-c", ""]).error)("have a script that this shell reads", async () => {
      const { stdout } = await cli(["completion", shell]);
      const { status, stderr } = spawnSync(shell, ["-n"], { input: stdout, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    });
  });

  test("do not exist for other shells", async () => {
    const { code, stderr } = await cli(["completion", "bsh"]);
    expect(code).toBe(64);
    expect(stderr).toContain('There are no completions for "bsh". Did you mean "bash"?');
  });
});
