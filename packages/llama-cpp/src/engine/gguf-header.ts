import { type FileHandle, open } from "node:fs/promises";

// GGUF: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

/** The size of a value in bytes, by its type number; 8 is a string, 9 an array. */
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, undefined, undefined, 8, 8, 8] as const;
const [STRING, ARRAY] = [8, 9];
/** The sizes of the shortest entries: an empty key or name, and the fields after it. */
const [LEAST_ENTRY, LEAST_TENSOR] = [13, 24];
/** The deepest nesting of arrays. llama.cpp supports none. */
const MAX_NESTING = 4;
const CHUNK = 1 << 20;

class Broken extends Error {}

/**
 * Why llama.cpp cannot load a file as GGUF, as a phrase; undefined if its header is valid: version, counts, all keys
 * and values, and tensors that begin within the file. The weights are not checked.
 *
 * llama.cpp's loader may hang on an invalid file, or request more memory than there is.
 *
 * Errors: those of reading the file.
 *
 * @example await whyNoGguf("model.gguf"); // 'it is cut off within its metadata'
 */
export async function whyNoGguf(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    await new Header(file, size).check();
    return undefined;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  } finally {
    await file.close();
  }
}

class Header {
  #chunk = Buffer.alloc(0);
  /** The offset of the chunk in the file, and the position of the next read. */
  #from = 0;
  #at = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  async check(): Promise<void> {
    const magic = (await this.#take(Math.min(4, this.size))).toString("latin1");
    if (magic !== "GGUF") throw new Broken(`it is not a GGUF file: it begins with ${JSON.stringify(magic)}`);
    const version = await this.#u32();
    if (version !== 2 && version !== 3)
      throw new Broken(`it has GGUF version ${version}, and only 2 and 3 are supported`);
    const [tensors, entries] = [await this.#count(LEAST_TENSOR), await this.#count(LEAST_ENTRY)];
    if (tensors === 0) throw new Broken("it has no tensors");
    let alignment = 32;
    let isNamed = false;
    for (let i = 0; i < entries; i++) {
      const key = await this.#string();
      const type = await this.#u32();
      isNamed ||= key === "general.architecture" && type === STRING;
      if (key === "general.alignment" && type === 4) alignment = await this.#u32();
      else await this.#skipValue(type);
    }
    if (!isNamed) throw new Broken("it does not say which architecture it has");
    if (alignment === 0 || alignment % 8 !== 0) throw new Broken(`it has an alignment of ${alignment}`);
    const offsets: number[] = [];
    for (let i = 0; i < tensors; i++) {
      await this.#skip(await this.#length());
      const dimensions = await this.#u32();
      if (dimensions > 4) throw new Broken(`it has a tensor of ${dimensions} dimensions`);
      await this.#skip(dimensions * 8 + 4);
      offsets.push(await this.#u64());
    }
    const data = Math.ceil(this.#at / alignment) * alignment;
    if (offsets.some((offset) => data + offset >= this.size)) throw new Broken("it is cut off within its weights");
  }

  async #skipValue(type: number, depth = 0): Promise<void> {
    if (type === STRING) return this.#skip(await this.#length());
    if (type !== ARRAY) return this.#skip(this.#sizeOf(type));
    const [inner, count] = [await this.#u32(), await this.#u64()];
    if (inner !== STRING && inner !== ARRAY) return this.#skip(count * this.#sizeOf(inner));
    if (count * 8 > this.size - this.#at || depth === MAX_NESTING)
      throw new Broken("it is cut off within its metadata");
    for (let i = 0; i < count; i++) await this.#skipValue(inner, depth + 1);
  }

  #sizeOf(type: number): number {
    const size = SIZES[type];
    if (size === undefined) throw new Broken(`it has a value of an unknown type, ${type}`);
    return size;
  }

  async #string(): Promise<string> {
    return (await this.#take(await this.#length())).toString("utf8");
  }

  /** Reads a count of entries that have at least `least` bytes each. */
  async #count(least: number): Promise<number> {
    const count = await this.#u64();
    if (count * least > this.size) throw new Broken(`it declares more entries than it has room for, ${count}`);
    return count;
  }

  async #length(): Promise<number> {
    const length = await this.#u64();
    if (length > this.size - this.#at) throw new Broken("it is cut off within its metadata");
    return length;
  }

  async #u32(): Promise<number> {
    return (await this.#take(4)).readUInt32LE();
  }

  async #u64(): Promise<number> {
    return Number((await this.#take(8)).readBigUInt64LE());
  }

  #skip(bytes: number): void {
    if (bytes > this.size - this.#at) throw new Broken("it is cut off within its metadata");
    this.#at += bytes;
  }

  async #take(bytes: number): Promise<Buffer> {
    const start = this.#at;
    this.#skip(bytes);
    if (start < this.#from || this.#at > this.#from + this.#chunk.length) {
      const buffer = Buffer.alloc(Math.min(Math.max(bytes, CHUNK), this.size - start));
      const { bytesRead } = await this.file.read(buffer, 0, buffer.length, start);
      if (bytesRead < bytes) throw new Broken("it is cut off within its metadata");
      [this.#chunk, this.#from] = [buffer.subarray(0, bytesRead), start];
    }
    return this.#chunk.subarray(start - this.#from, start - this.#from + bytes);
  }
}
