import { open, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { tool } from "langchain";
import { z } from "zod";

/** Reads text files below `root`, never outside it (links are followed first), and at most `maxBytes` of each. */
export function readFileTool(root: string, maxBytes = 1200) {
  return tool(({ path }) => readTextFile(root, path, maxBytes), {
    name: "read_file",
    description: "Read a text file of this repository.",
    schema: z.object({ path: z.string().describe("Path of the file") }),
  });
}

/** The file's text, cut at `maxBytes`; or why it cannot be read. */
export async function readTextFile(root: string, path: string, maxBytes: number): Promise<string> {
  try {
    const home = await realpath(root);
    const file = await realpath(resolve(home, path));
    const inside = relative(home, file);
    if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      return `${path} is outside the repository.`;
    const info = await stat(file);
    if (info.isDirectory()) return `${path} is a folder.`;
    if (!info.isFile()) return `${path} is not a text file.`;
    const { size } = info;
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, maxBytes)), 0);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytes.includes(0)) return `${path} is not a text file.`;
      // `stream`: a character cut in two at the end is left out.
      const text = new TextDecoder().decode(bytes, { stream: true });
      return size > maxBytes
        ? `${path} begins:\n${text}\n(cut: ${maxBytes} of ${size} bytes)`
        : `${path} says:\n${text}`;
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return `There is no file ${path}.`;
    return `Cannot read ${path} (${code ?? error}).`;
  }
}
