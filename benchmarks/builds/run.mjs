// npm run bench -- builds --old FOLDER [--quick]: the reply parser of this clone beside that of another clone (FOLDER, built),
// in one run: whole replies, streams, and what a browser's bundle takes.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { cases, chunked, tools, writeFile } from "@toolingua/benchmark-parse/cases.mjs";
import { compare, effort, ratio } from "@toolingua/benchmark-timing";
import { print } from "@toolingua/benchmark-timing/results.mjs";
import { build } from "esbuild";
import { table } from "../timing/markdown.mjs";

const { values } = parseArgs({ options: { old: { type: "string" }, quick: { type: "boolean", default: false } } });
if (values.old === undefined) {
  console.error("npm run bench -- builds --old FOLDER: FOLDER is another clone, in which `npm run build` has run.");
  process.exit(2);
}
const folders = { new: fileURLToPath(new URL("../..", import.meta.url)), old: resolve(values.old) };
const coreOf = (folder) => import(pathToFileURL(`${folder}/packages/core/dist/index.js`).href);
const [now, old] = [await coreOf(folders.new), await coreOf(folders.old)];

/** The same work in both builds, as one row. */
async function row(what, work) {
  const [own, other] = await compare([() => work(now), () => work(old)], effort(values.quick));
  return ratio(what, own, other, "the other build");
}

/** Reads a stream; the number of events, so that the work is not optimized away. */
function stream({ createReplyParser }, protocol, chunks) {
  const parser = createReplyParser({ protocol, tools });
  let events = 0;
  for (const chunk of chunks) events += parser.push(chunk).length;
  return events + parser.end().length;
}

const rows = [];
for (const { title, protocol, reply } of cases)
  rows.push(await row(`whole: ${title}`, ({ parseReply }) => parseReply(reply, { protocol, tools })));
for (const protocol of ["hermes", "qwen3-coder", "tool-tags"]) {
  const chunks = chunked(writeFile(protocol, 50_000), 4);
  rows.push(await row(`streamed: 50 KB in one string, ${protocol}`, (core) => stream(core, protocol, chunks)));
}
print(rows, () => "the reply parser");

/** KB of 1000 bytes, minified and gzip; undefined if the build has no such entry. */
async function bundleSize(entry, folder) {
  const contents = readFileSync(new URL(`../size/entries/${entry}.mjs`, import.meta.url), "utf8");
  const how = { bundle: true, minify: true, write: false, platform: "browser", format: "esm", logLevel: "silent" };
  // Within the package its own name refers to the build of its clone.
  const stdin = { contents, resolveDir: `${folder}/packages/core` };
  try {
    const { outputFiles } = await build({ ...how, stdin });
    return gzipSync(outputFiles[0].contents).length / 1000;
  } catch {
    return undefined;
  }
}

const sizes = [];
for (const entry of ["hermes", "qwen3-coder", "several", "all", "main"]) {
  const [own, other] = [await bundleSize(entry, folders.new), await bundleSize(entry, folders.old)];
  const shown = (size) => (size === undefined ? "has no such entry" : `${size.toFixed(1)} KB`);
  sizes.push([entry, shown(own), shown(other)]);
}
console.log(`\n${table(["bundle, minified and gzip", "this build", "the other build"], sizes)}`);
