import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { textOfBytes, whyNotText } from "@toolingua/core/adapters";

/** The text of a local file, in UTF-8 or UTF-16 with a byte order mark. Errors: Error with the path and the reason. */
export async function readLocalFile(place: string): Promise<string> {
  const path = fileURLToPath(place);
  const bytes = await readFile(path).catch((cause: { code?: unknown }) => {
    throw new Error(whyUnread(path, cause.code), { cause });
  });
  const wrong = whyNotText(bytes);
  if (wrong !== undefined) throw new Error(`the file ${path} ${wrong}`);
  return textOfBytes(bytes);
}

function whyUnread(path: string, code: unknown): string {
  if (code === "ENOENT") return `there is no file ${path}`;
  if (code === "EISDIR") return `${path} is a folder; the name of a file is needed`;
  return `the file ${path} cannot be read (${String(code)})`;
}
