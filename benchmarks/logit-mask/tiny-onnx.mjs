// Writes a language model that knows nothing, as transformers.js reads it: the next token hangs on the last one, by
// chance.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// The necessary part of Protocol buffers. Format: https://protobuf.dev/programming-guides/encoding
function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const low = Number(rest & 127n);
    if (rest < 128n) return Buffer.from([...bytes, low]);
    bytes.push(low | 128);
  }
}
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const message = (field, ...parts) => {
  const inside = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(field * 8 + 2), varint(inside.length), inside]);
};

// The fields of ONNX: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
const FLOAT = 1;
const INT64 = 7;
const tensor = (name, dims, data) =>
  message(
    5,
    ...dims.map((dim) => number(1, dim)),
    number(2, FLOAT),
    message(8, name),
    message(9, new Uint8Array(data.buffer)),
  );
const dimension = (dim) => message(1, typeof dim === "string" ? message(2, dim) : number(1, dim));
const value = (field, name, type, dims) =>
  message(field, message(1, name), message(2, message(1, number(1, type), message(2, ...dims.map(dimension)))));
const node = (operator, inputs, output) =>
  message(1, ...inputs.map((input) => message(1, input)), message(2, output), message(4, operator));

/** Writes a model for `pipeline("text-generation")`, without its tokenizer, into the folder. */
export function writeTinyOnnx(folder, { vocabulary, end, width = 8, random }) {
  const weights = (scale) => Float32Array.from({ length: vocabulary * width }, () => (random() - 0.5) * scale);
  const graph = message(
    7,
    node("Gather", ["embedding", "input_ids"], "hidden"),
    node("MatMul", ["hidden", "head"], "logits"),
    message(2, "tiny"),
    tensor("embedding", [vocabulary, width], weights(1)),
    tensor("head", [width, vocabulary], weights(4)),
    value(11, "input_ids", INT64, ["batch", "length"]),
    value(11, "attention_mask", INT64, ["batch", "length"]),
    value(12, "logits", FLOAT, ["batch", "length", vocabulary]),
  );
  const irVersion = number(1, 8);
  const operatorSet = message(8, message(1, ""), number(2, 13));
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, "onnx", "model.onnx"), Buffer.concat([irVersion, graph, operatorSet]));
  const sizes = { n_layer: 1, n_head: 1, n_embd: width, n_positions: 4096 };
  const config = { model_type: "gpt2", vocab_size: vocabulary, eos_token_id: end, ...sizes };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "generation_config.json"), JSON.stringify({ eos_token_id: end, pad_token_id: 0 }));
}
