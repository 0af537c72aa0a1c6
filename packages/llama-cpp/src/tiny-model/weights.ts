import type { GgufTensor } from "./gguf.js";
import { gaussian, seededRandom } from "./random.js";

/** The dimensions of a small Llama. */
export interface Shape {
  vocabulary: number;
  embedding: number;
  heads: number;
  headSize: number;
  feedForward: number;
  layers: number;
}

/** Weights and their shape. */
export interface Weights {
  shape: Shape;
  tensors: GgufTensor[];
}

const NEVER = -30; // logit of a token that must not be chosen

const matrix = (rows: number, columns: number, cell: (row: number, column: number) => number) => {
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) data[row * columns + column] = cell(row, column);
  return data;
};

/** A whole Llama with the given embedding and output tables; `noise` returns the weights of its blocks. */
function llama(shape: Shape, embedding: Float32Array, output: Float32Array, noise: () => number): Weights {
  const { embedding: width, heads, headSize, feedForward, layers, vocabulary } = shape;
  const inner = heads * headSize;
  const ones = () => new Float32Array(width).fill(1);
  const reads = (rows: number) => matrix(rows, width, noise);
  // Only the embedding writes the first channel of the residual stream, so it stays constant: see `randomWeights`.
  const writes = (columns: number) => matrix(width, columns, (row) => (row === 0 ? 0 : noise()));
  const tensors: GgufTensor[] = [{ name: "token_embd.weight", shape: [width, vocabulary], data: embedding }];
  for (let layer = 0; layer < layers; layer++) {
    const add = (name: string, dimensions: number[], data: Float32Array) =>
      tensors.push({ name: `blk.${layer}.${name}.weight`, shape: dimensions, data });
    add("attn_norm", [width], ones());
    add("attn_q", [width, inner], reads(inner));
    add("attn_k", [width, inner], reads(inner));
    add("attn_v", [width, inner], reads(inner));
    add("attn_output", [inner, width], writes(inner));
    add("ffn_norm", [width], ones());
    add("ffn_gate", [width, feedForward], reads(feedForward));
    add("ffn_up", [width, feedForward], reads(feedForward));
    add("ffn_down", [feedForward, width], writes(feedForward));
  }
  tensors.push({ name: "output_norm.weight", shape: [width], data: ones() });
  tensors.push({ name: "output.weight", shape: [width, vocabulary], data: output });
  return { shape, tensors };
}

/**
 * A two-layer transformer with random weights: it writes noise, which a grammar turns into well-formed noise. The model
 * never writes a token with `suppressed[id]`. The vocabulary is as large as that list.
 */
export function randomWeights(suppressed: readonly boolean[], seed: number): Weights {
  const vocabulary = suppressed.length;
  const width = 64;
  const shape = { vocabulary, embedding: width, heads: 4, headSize: width / 4, feedForward: 4 * width, layers: 2 };
  const normal = gaussian(seededRandom(seed));
  // Channel 0 is the same at every position, so the first weight of an output row is a bias on that token's logit.
  const embedding = matrix(vocabulary, width, (_, column) => (column === 0 ? 4 : normal()));
  const output = matrix(vocabulary, width, (row, column) =>
    column === 0 ? (suppressed[row] ? NEVER : 0) : (1.5 * normal()) / Math.sqrt(width),
  );
  return llama(shape, embedding, output, () => normal() / Math.sqrt(width));
}

/**
 * A model whose next token depends only on the last one: token i is embedded as the unit vector e_i, the blocks add
 * nothing, and column i of the output table holds log P(j | i), counted in the sequences and smoothed.
 */
export function bigramWeights(suppressed: readonly boolean[], sequences: readonly (readonly number[])[]): Weights {
  const vocabulary = suppressed.length;
  const shape = { vocabulary, embedding: vocabulary, heads: 1, headSize: 32, feedForward: 32, layers: 1 };
  const pairs = new Float64Array(vocabulary * vocabulary);
  const follows = new Float64Array(vocabulary);
  const single = new Float64Array(vocabulary);
  let total = 0;
  for (const sequence of sequences) {
    for (let i = 0; i + 1 < sequence.length; i++) {
      const [from, to] = [sequence[i]!, sequence[i + 1]!];
      pairs[from * vocabulary + to]! += 1;
      follows[from]! += 1;
      single[to]! += 1;
      total++;
    }
  }
  const logit = (to: number, from: number) => {
    if (suppressed[to]) return NEVER;
    const bigram = follows[from]! > 0 ? pairs[from * vocabulary + to]! / follows[from]! : single[to]! / total;
    return Math.log(0.9 * bigram + 0.08 * (single[to]! / total) + 0.02 / vocabulary);
  };
  // RMS normalisation scales a unit vector by the square root of its length.
  const scale = Math.sqrt(vocabulary);
  const embedding = matrix(vocabulary, vocabulary, (row, column) => (row === column ? 1 : 0));
  const output = matrix(vocabulary, vocabulary, (row, column) => logit(row, column) / scale);
  return llama(shape, embedding, output, () => 0);
}
