import { readFileSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { cli } from "../support/cli.js";
import { inPipe, inTerminal } from "../support/processes.js";
import { scratchFolder } from "./scratch.js";
import { type ScriptedModel, scriptedModel } from "./scripted-model.js";

const template = `{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}{% for message in messages %}{{ message.content }}
{%- for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}{% endfor %}`;
const model: ScriptedModel = {
  ...{ speaks: "hermes", writes: "asked", noise: 0.1, template, serverTools: "crash" },
  models: [{ id: "qwen2.5-7b", owned_by: "llamacpp" }],
};
const page = new URL("../../docs/probe.md", import.meta.url);
const [BEGIN, END] = ["<!-- made by a test: begin -->", "<!-- made by a test: end -->"];

test("the session in docs/probe.md is the one that this test records", async () => {
  const { url } = await scriptedModel(model);
  const { code, stdout, stderr } = await cli(["probe", url, "--model", "qwen2.5-7b"], {
    env: { TOOLINGUA_CACHE: scratchFolder() },
  });
  expect(code).toBe(0);
  const said = `${stderr}\n${stdout}`.replaceAll(new RegExp(`${url}\\b`, "g"), "http://localhost:8080");
  const session = `\`\`\`console\n$ toolingua probe localhost:8080 --model qwen2.5-7b\n${said}\`\`\``;
  const text = readFileSync(page, "utf8");
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  const wanted = `${text.slice(0, start)}${BEGIN}\n\n${session}\n\n${text.slice(end)}`;
  if (process.env.TOOLINGUA_WRITE) writeFileSync(page, wanted);
  else
    expect(
      withoutTimes(text),
      "Write it with TOOLINGUA_WRITE=1 npx vitest run packages/cli/test/probe/session.test.ts",
    ).toBe(withoutTimes(wanted));
});

/** How many milliseconds an answer takes is different each time, and so is the width of their column. */
const withoutTimes = (text: string) => text.replace(/(\d \+ \d+) +\d+ */g, "$1 ").replace(/(tokens) +ms/g, "$1 ms");

test("a terminal shows a bar with the remaining time, which disappears; a pipe does not", async () => {
  const { url } = await scriptedModel(model);
  const argv = ["probe", url, "-n", "4", "-p", "hermes,xml"];
  const { code, shown } = await inTerminal(argv, { env: { TOOLINGUA_CACHE: scratchFolder() } });
  expect(code).toBe(0);
  expect(stripVTControlCharacters(shown)).toMatch(/[█░]{24} \d+ of \d+ answers, (?:some time|\d+ s) left: /);
  expect(stripVTControlCharacters(shown)).toContain("Best: hermes, ");
  const piped = await inPipe(argv, { env: { TOOLINGUA_CACHE: scratchFolder() } });
  expect(piped.code).toBe(0);
  expect(piped.stdout + piped.stderr).not.toContain(String.fromCharCode(27));
  expect(piped.stderr).not.toContain("█");
  expect(piped.stdout).toMatch(/^format +right +95 % +valid calls +tokens +ms\n/);
});

test("--quiet prints only the result, --json only JSON", async () => {
  const { url } = await scriptedModel(model);
  const argv = ["probe", url, "-n", "4", "-p", "hermes"];
  const env = { TOOLINGUA_CACHE: scratchFolder() };
  expect(await cli([...argv, "--quiet"], { env })).toMatchObject({ code: 0, stderr: "" });
  const { stdout } = await cli([...argv, "--json"], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    model: "qwen2.5-7b",
    questions: 4,
    candidates: [{ id: "hermes" }, { id: "hermes constrained" }, { id: "server tools" }],
  });
});
