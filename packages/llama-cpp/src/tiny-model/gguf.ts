/**
 * Writes GGUF version 3, little-endian: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */

const MAGIC = "GGUF";
const VERSION = 3;
const ALIGNMENT = 32;
const TYPE_ARRAY = 9;
const TENSOR_F32 = 0;

const encodings = {
  u32: { id: 4, encode: (value: number) => fixed(4, (buffer) => buffer.writeUInt32LE(value)) },
  i32: { id: 5, encode: (value: number) => fixed(4, (buffer) => buffer.writeInt32LE(value)) },
  f32: { id: 6, encode: (value: number) => fixed(4, (buffer) => buffer.writeFloatLE(value)) },
  bool: { id: 7, encode: (value: boolean) => Buffer.from([value ? 1 : 0]) },
  string: { id: 8, encode: (value: string) => string(value) },
} as const;

type Types = { u32: number; i32: number; f32: number; bool: boolean; string: string };

/** One metadata value with its type; a list becomes a GGUF array. */
export type GgufValue = { [T in keyof Types]: { type: T; value: Types[T] | readonly Types[T][] } }[keyof Types];

/** A tensor of 32-bit floats. `shape` is in ggml's order: the contiguous dimension (the length of a row) first. */
export interface GgufTensor {
  name: string;
  shape: readonly number[];
  data: Float32Array;
}

function fixed(bytes: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}
const u32 = encodings.u32.encode;
const u64 = (value: number) => fixed(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)));
const string = (value: string) => {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([u64(bytes.length), bytes]);
};
const padding = (size: number) => Buffer.alloc((ALIGNMENT - (size % ALIGNMENT)) % ALIGNMENT);

function metadataEntry(key: string, { type, value }: GgufValue): Buffer {
  const encoding = encodings[type] as { id: number; encode(value: unknown): Buffer };
  if (!Array.isArray(value)) return Buffer.concat([string(key), u32(encoding.id), encoding.encode(value)]);
  return Buffer.concat([
    string(key),
    u32(TYPE_ARRAY),
    u32(encoding.id),
    u64(value.length),
    ...value.map((item) => encoding.encode(item)),
  ]);
}

/** The bytes of a GGUF file with this metadata and these tensors. */
export function encodeGguf(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const entries = Object.entries(metadata);
  const header = [Buffer.from(MAGIC), u32(VERSION), u64(tensors.length), u64(entries.length)];
  for (const [key, value] of entries) header.push(metadataEntry(key, value));

  const body: Buffer[] = [];
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    header.push(string(name), u32(shape.length), ...shape.map(u64), u32(TENSOR_F32), u64(offset));
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const pad = padding(bytes.length);
    body.push(bytes, pad);
    offset += bytes.length + pad.length;
  }
  const head = Buffer.concat(header);
  return Buffer.concat([head, padding(head.length), ...body]);
}
