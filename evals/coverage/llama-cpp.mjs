// llama.cpp's own converter and grammar sampler, out of the library that node-llama-cpp ships: a small program in C++,
// compiled against the headers in that package's copy of llama.cpp's repository.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../accuracy/wheel.mjs";

const source = fileURLToPath(new URL("llama-cpp.cpp", import.meta.url));
const entry = import.meta.resolve("node-llama-cpp");
const repository = join(dirname(fileURLToPath(entry)), "..", "llama", "gitRelease.bundle");
const HEADERS = ["common", "include", "ggml/include"];

/**
 * The program, compiled once for each version of it and of node-llama-cpp.
 *
 * Throws without git or a C++ compiler, and where the package has no library for Linux on x64.
 */
function program() {
  const library = join(dirname(createRequire(entry).resolve("@node-llama-cpp/linux-x64")), "..", "bins", "linux-x64");
  const version = createHash("sha256").update(readFileSync(source)).update(library).digest("base64url").slice(0, 12);
  const folder = cacheFolder();
  const path = join(folder, `llama-cpp-${version}`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, "build-"));
  const run = (command, ...args) => execFileSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  try {
    run("git", "clone", "--quiet", "--no-checkout", repository, join(work, "repository"));
    run("git", "-C", join(work, "repository"), "checkout", "--quiet", "HEAD", "--", ...HEADERS);
    const headers = HEADERS.map((one) => `-I${join(work, "repository", one)}`);
    const libraries = [`-L${library}`, "-l:libllama-common.so", "-l:libllama.v0.5.0.so", `-Wl,-rpath,${library}`];
    const linked = [...libraries, "-Wl,--allow-shlib-undefined"];
    run("c++", "-std=c++17", "-O2", ...headers, source, "-o", join(work, "program"), ...linked);
    renameSync(join(work, "program"), path);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return path;
}

/** The answers of the program to a list of requests, as its head says. */
function answers(args, requests) {
  const { stdout, status, signal, error } = spawnSync(program(), args, {
    input: requests.map((one) => `${JSON.stringify(one)}\n`).join(""),
    encoding: "utf8",
    maxBuffer: 2 ** 29,
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (status !== 0) throw error ?? new Error(`llama.cpp's program ended with ${signal ?? status}.`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The grammars of llama.cpp's converter: `{ us, grammar, warning }` for each schema, or `{ error }`. */
export const convert = (schemas) => answers(["convert"], schemas);

/**
 * The time of each mask of llama.cpp's grammar sampler, over the vocabulary of a GGUF file: `{ us: [N] }` for each
 * `{ grammar, tokens }`, or `{ error }`.
 */
export const sampled = (modelPath, requests) => answers(["masks", modelPath], requests);
