import { mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chatEndpoint } from "@toolingua/endpoints";
import { run, UsageError, wholeNumber } from "@toolingua/example-command-line";
import { addToPml, parsePml, prunePml, renderHtml, stringifyPml } from "@toolingua/pml";
import { answer, scriptedModel } from "./assistant.js";
import { openEditor, sourcesIn } from "./editor.js";

const commandLine = {
  command: "npm run start:pml",
  about: "Stores an editor session as one document, and prunes it to fit a limit of tokens.",
  options: {
    "base-url": {
      value: "URL",
      what: "a server, up to what comes before /chat/completions; default: a script answers",
    },
    model: { value: "NAME", what: "the server's model" },
    "max-tokens": { value: "N", default: "8000", what: "the limit of tokens; a longer document is pruned" },
    out: { value: "FOLDER", what: "where the documents are written; default: a temporary folder" },
  },
};

await run(commandLine, async ({ options }) => {
  const baseURL = options["base-url"];
  if (options.model && !baseURL) throw new UsageError("--model needs a server: give --base-url as well.");
  const model = baseURL ? chatEndpoint({ baseURL, model: options.model ?? "default" }) : scriptedModel;
  const sources = sourcesIn(fileURLToPath(new URL("../../../packages/endpoints/src", import.meta.url)));
  const maxTokens = wholeNumber("--max-tokens", options["max-tokens"], 1);
  const out = options.out ? resolve(options.out) : mkdtempSync(join(tmpdir(), "toolingua-pml-"));
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`--out ${options.out}: that is a file; give a folder.`);
  mkdirSync(out, { recursive: true });
  const say = (line: string) => console.log(line);
  const tokens = (xml: string) => `${Math.ceil(xml.length / 4).toLocaleString("en-US")} tokens`;

  let document = openEditor(sources);
  say(`An editor with 15 attachments: ${tokens(stringifyPml(document))}. Is anything missing?\n`);
  document = await answer(document, { model, sources, say });

  const second = "Say in the file that the wait doubles.";
  say(`\n> ${second}\n`);
  document = addToPml(document, { type: "user", name: "Kim", parts: [{ type: "text", text: second }] });
  document = await answer(document, { model, sources, say });

  const whole = stringifyPml(document);
  const { document: short, pruned } = prunePml(document, { maxTokens, keep: { "#style": "always" } });
  say(
    `\n${tokens(whole)}, pruned to ${tokens(stringifyPml(short))}; the limit is ${maxTokens.toLocaleString("en-US")}`,
  );
  for (const { how, what, name = "", tokens: saved } of pruned) say(`  ${how.padEnd(9)} ${what} ${name} (−${saved})`);

  const files = { "session.pml": whole, "pruned.pml": stringifyPml(short), "session.html": renderHtml(document) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text);
  if (stringifyPml(parsePml(whole)) !== whole) throw new Error("The document did not come back as it was written.");
  say(
    `\n${Object.keys(files)
      .map((name) => join(out, name))
      .join("\n")}`,
  );
});
