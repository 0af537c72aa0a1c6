import { chmod, copyFile, lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canonicalPml, parsePml, pmlToJson, prunePml, renderHtml, stringifyPml } from "@toolingua/pml";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { pmlFormats } from "../src/pml/format-names.js";
import { cli } from "./support/cli.js";

const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, import.meta.url));
const session = sample("session.pml");
const text = await readFile(session, "utf8");
const document = parsePml(text);
const laidOut = stringifyPml(document);

/** The value at a JSON pointer. */
const at = (data: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => Object(value)[step.replaceAll("~1", "/").replaceAll("~0", "~")], data);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-pml-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("toolingua pml validate", () => {
  test("reports that a document is valid, and what it contains", async () => {
    const { code, stdout } = await cli(["pml", "validate", session]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "valid: 2 turns, 5 messages and outputs, 1 remembered, 0 tools\n",
    });
    const json = await cli(["pml", "validate", "--json"], { stdin: text });
    expect(JSON.parse(json.stdout)).toEqual({ valid: true, turns: 2, messages: 5, remembered: 1, tools: 0 });
  });

  test("counts one of a thing in the singular", async () => {
    const stdin =
      '<pml version="1"><tools><tool name="now" description="The time">{}</tool></tools><conversation><turn><user>Hi</user></turn></conversation></pml>';
    expect((await cli(["pml", "validate"], { stdin })).stdout).toBe("valid: 1 turn, 1 message, 0 remembered, 1 tool\n");
    expect((await cli(["pml", "count"], { stdin })).stdout).toMatch(/\n1 turn, \d+ characters/);
  });

  test("reports where one is invalid, and the correct form", async () => {
    const { code, stdout, stderr } = await cli(["pml", "validate", sample("broken.pml")]);
    expect({ code, stdout }).toEqual({ code: 70, stdout: "" });
    expect(stderr).toBe(
      `error: ${sample("broken.pml")}:2:11: <fakt> is not allowed in <memory>. Did you mean fact? Allowed: <fact>, <summary>.\n`,
    );
    const json = await cli(["pml", "validate", sample("broken.pml"), "--json"]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "structure" } });
  });

  test("names a file whose name is part of the error's words, and no file twice", async () => {
    const folderBefore = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(folderBefore));
    await copyFile(sample("broken.pml"), "a");
    for (const argv of [["validate"], ["format"], ["count"]])
      expect((await cli(["pml", ...argv, "a"])).stderr).toMatch(/^error: a:2:11: <fakt> is not allowed/);
    for (const argv of [["validate"], ["format"]])
      expect((await cli(["pml", ...argv, "i"])).stderr).toBe("error: There is no file i.\n");
  });

  test("reads very long documents in chunks", async () => {
    const piece = `<turn><user>${"x".repeat(1_000_000)}</user></turn>`;
    const pieces = ['<pml version="1"><conversation>', ...Array<string>(21).fill(piece), "</conversation></pml>"];
    expect((await cli(["pml", "validate"], { stdin: pieces })).stdout).toContain("valid: 21 turns");
    const { code, stderr } = await cli(["pml", "count"], { stdin: pieces });
    expect(code).toBe(70);
    expect(stderr).toContain("longer than 20000000 characters");
  });
});

describe("toolingua pml format", () => {
  test("formats a document, with any indentation, or canonically", async () => {
    expect((await cli(["pml", "format", session])).stdout).toBe(laidOut);
    expect((await cli(["pml", "format", session, "--indent", "0"])).stdout).toBe(stringifyPml(document, { indent: 0 }));
    expect((await cli(["pml", "format", session, "--canonical"])).stdout).toBe(canonicalPml(document));
    const json = await cli(["pml", "format", session, "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ document: laidOut, changed: true });
  });

  test("checks a file and changes it, and changes nothing the second time", async () => {
    const file = join(folder, "format.pml");
    await copyFile(session, file);
    const check = () => cli(["pml", "format", "--check", file]);
    expect(await check()).toEqual({ code: 1, stdout: "", stderr: `${file}: not formatted\n` });
    expect((await cli(["pml", "format", "--write", file])).stderr).toBe(`${file}: changed\n`);
    expect(await readFile(file, "utf8")).toBe(laidOut);
    expect((await check()).code).toBe(0);
    expect((await cli(["pml", "format", "--write", file])).stderr).toBe(`${file}: unchanged\n`);
  });

  test("does not change a file that is not a document", async () => {
    const file = join(folder, "no-utf8.pml");
    const bytes = Buffer.from([...Buffer.from("<fact>"), 0xff, ...Buffer.from("</fact>")]);
    await writeFile(file, bytes);
    const { code, stderr } = await cli(["pml", "format", "--write", file]);
    expect({ code, stderr }).toEqual({ code: 70, stderr: `error: ${file} is not UTF-8. Save it as UTF-8.\n` });
    expect(await readFile(file)).toEqual(bytes);
  });

  test("keeps a file's mode, and follows a link", async () => {
    const file = join(folder, "mode.pml");
    const link = join(folder, "link.pml");
    await copyFile(session, file);
    await chmod(file, 0o640);
    await symlink(file, link);
    expect((await cli(["pml", "format", "--write", link])).code).toBe(0);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, "utf8")).toBe(laidOut);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  test.each(["validate", "format", "count", "html"])("%s refuses a folder", async (command) => {
    const { code, stderr } = await cli(["pml", command, folder]);
    expect({ code, stderr }).toEqual({
      code: 70,
      stderr: `error: ${folder} is a folder; the name of a file is needed.\n`,
    });
  });
});

describe("toolingua pml convert", () => {
  const convert = async (argv: string[], stdin: string) => {
    const run = await cli(["pml", "convert", ...argv], { stdin });
    expect(run).toMatchObject({ code: 0 });
    return run;
  };

  test.each(pmlFormats.filter((format) => format !== "pml"))("writes %s, and reads it back", async (format) => {
    const { stdout, stderr } = await convert(["--to", format], text);
    const { stdout: back } = await convert(["--from", format], stdout);
    const read = parsePml(back);
    const calls = read.conversation?.turns[0]?.messages.flatMap((node) => ("parts" in node ? node.parts : []));
    expect(calls).toContainEqual(expect.objectContaining({ name: "get_weather", arguments: { city: "Oslo" } }));
    // As an attachment, or in the text of the message.
    expect(JSON.stringify(read)).toContain("if (a < b) c();");
    // Without a loss, what comes back is the document.
    if (stderr === "") expect(back).toBe(laidOut);
    else expect(stderr).toMatch(/^(?:lost: .+ at \/.*: .+\n)+$/);
  });

  test("converts from one format to another, with images, and reports the losses", async () => {
    const request = {
      messages: [
        {
          role: "user",
          name: "Ann",
          content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }],
        },
      ],
      temperature: 1,
    };
    const { stdout } = await convert(["--from", "openai", "--to", "json"], JSON.stringify(request));
    expect(stdout).toContain("iVBORw0KGgo=");
    const json = await convert(["--from", "openai", "--to", "anthropic", "--json"], JSON.stringify(request));
    const { from, to, losses } = JSON.parse(json.stdout);
    expect({ from, to }).toEqual({ from: "openai", to: "anthropic" });
    expect(losses).not.toEqual([]);
  });

  test("says of every loss whether its place is in the input or in the document", async () => {
    const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" }, strict: true } }];
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", name: "Ann", content: "Hi", mood: "good" },
      { role: "assistant", content: [{ type: "text", text: "Hello" }], audio: { id: "1" } },
    ];
    const part = [{ type: "text", text: "Hi", mood: "good" }];
    const inputs: [from: string, input: unknown][] = [
      ["openai", { messages, tools, temperature: 1 }],
      ["openai", messages],
      ["openai-responses", { input: [{ type: "message", role: "user", content: "Hi", mood: "good" }], store: true }],
      ["anthropic", { system: "Be brief.", messages: [{ role: "user", content: part }], top_k: 2 }],
      ["toolingua", { messages: [{ role: "user", content: "Hi", mood: "good" }], more: 1 }],
      ["toolingua", [{ role: "user", content: "Hi", mood: "good" }]],
      ["ai-sdk", [{ role: "user", content: part }]],
      ["ai-sdk", { messages: [{ role: "user", content: part }] }],
    ];
    for (const [from, input] of inputs) {
      const given = JSON.stringify(input);
      const tree = JSON.parse((await convert(["--from", from, "--to", "json"], given)).stdout);
      const { stdout, stderr } = await convert(["--from", from, "--to", "gemini", "--json"], given);
      const { losses } = JSON.parse(stdout);
      const read = losses.filter((loss: { in: string }) => loss.in === "input");
      expect({ from, count: read.length > 0 }).toEqual({ from, count: true });
      for (const { in: where, path, what, why } of losses) {
        const place = { input, document: tree }[where as "input" | "document"];
        expect({ from, path, found: at(place, path) !== undefined }).toEqual({ from, path, found: true });
        expect(stderr).toContain(
          `lost: ${what} at ${path || "the root"} of the ${where}: ${JSON.stringify(why).slice(1, -1)}`,
        );
      }
    }
  });

  test.each([
    [[], "", 64, "Give --from, --to or both: each is pml by default. To lay a document out: toolingua pml format."],
    [["--from", "pml", "--to", "pml"], "", 64, "--from and --to are both pml."],
    [["--from", "json", "--to", "json"], "", 64, "are both json"],
    [["--to", "opnai"], "", 64, "Allowed choices are"],
    [["--from", "json"], "{", 70, "expected the JSON of a document"],
    [["--from", "atif"], "{", 70, "is not valid JSON"],
    [["--from", "state"], "[]", 70, "toJSON"],
    [["--from", "state"], '{"version":"1","log":[]}', 70, "toJSON"],
    [["--from", "state"], '{"version":99,"log":[]}', 70, "The input was written by a newer toolingua (version 99"],
    [["--from", "langchain"], "{}", 70, "a list of messages"],
    [["--from", "openai"], "Hi", 70, "neither JSON nor YAML"],
  ])("explains what is wrong with %j of %j", async (argv, stdin, exit, message) => {
    const { code, stdout, stderr } = await cli(["pml", "convert", ...argv], { stdin });
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describe("toolingua pml prune", () => {
  test("prints a document within the limit, and reports what was pruned", async () => {
    const { code, stdout, stderr } = await cli(["pml", "prune", session, "--max-tokens", "180", "--target", "1"]);
    const expected = prunePml(document, { maxTokens: 180, target: 1 });
    expect(expected.pruned).not.toEqual([]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: stringifyPml(expected.document) });
    expect(stderr).toContain("thinking");
    expect(stderr).toContain(`about ${expected.tokens} tokens`);
    const json = await cli(["pml", "prune", session, "--max-tokens", "180", "--target", "1", "--json"]);
    const { tokens, pruned } = expected;
    expect(JSON.parse(json.stdout)).toEqual({ tokens, pruned, document: stdout });
  });

  test("does not change one within the limit", async () => {
    const { stdout, stderr } = await cli(["pml", "prune", "--max-tokens", "10000"], { stdin: text });
    expect(stdout).toBe(laidOut);
    expect(stderr).toContain("nothing had to be pruned");
  });

  test("keeps the parts that options name", async () => {
    const argv = ["pml", "prune", session, "--max-tokens", "180", "--target", "1", "--keep", "thinking=always"];
    expect((await cli(argv)).stdout).toContain("<thinking>I need the weather.</thinking>");
  });

  test.each([
    [["--max-tokens", "0"], 64, "A whole number from 1"],
    [[], 64, "--max-tokens"],
    [["--max-tokens", "10", "--reserve", "10"], 64, "--reserve is less than --max-tokens"],
    [["--max-tokens", "10", "--target", "2"], 64, "A number above 0"],
    [["--max-tokens", "10", "--keep", "thinking=alway"], 64, 'There is no level "alway". Did you mean "always"?'],
    [["--max-tokens", "10", "--keep", "always"], 64, "Levels are always, high, normal, low."],
    [["--max-tokens", "10", "--keep", "thnking=low"], 64, '"thnking", which is neither'],
    [["--max-tokens", "10"], 70, "What must stay"],
  ])("explains what is wrong with %j", async (argv, exit, message) => {
    const { code, stdout, stderr } = await cli(["pml", "prune", session, ...argv]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describe("toolingua pml count and html", () => {
  test("counts parts and tokens", async () => {
    const { stdout } = await cli(["pml", "count", session, "--json"]);
    const { parts, ...all } = JSON.parse(stdout);
    expect(all).toEqual({ tokens: Math.ceil(laidOut.length / 4), characters: laidOut.length, turns: 2 });
    expect(parts).toContainEqual({ what: "attachment (file)", count: 1, characters: 15, tokens: 4 });
    expect(parts).toContainEqual({ what: "user text", count: 2, characters: 29, tokens: 8 });
    expect((await cli(["pml", "count", session])).stdout).toMatch(/^attachment \(file\) +1 +15 +4$/m);
  });

  test("renders a page", async () => {
    const { stdout } = await cli(["pml", "html", session, "--title", "<b>", "--language", "de"]);
    expect(stdout).toBe(renderHtml(document, { title: "<b>", language: "de" }));
  });

  test("reports an unknown file or command", async () => {
    expect((await cli(["pml", "html", "none.pml"])).stderr).toContain("There is no file none.pml.");
    const { code, stderr } = await cli(["pml", "convrt"]);
    expect(code).toBe(64);
    expect(stderr).toContain("Did you mean convert?");
  });

  test("prints the library's tree as JSON", async () => {
    expect((await cli(["pml", "convert", session, "--to", "json"])).stdout).toBe(
      `${pmlToJson(document, { indent: 2 })}\n`,
    );
  });
});
