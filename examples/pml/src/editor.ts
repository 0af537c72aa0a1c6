import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { PmlAttachment, PmlDocument } from "@toolingua/pml";

/** The file that the user forgets to attach. */
export const FORGOTTEN = "retry.ts";

/** The sources of a folder, by their path in it. */
export function sourcesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [relative(folder, file).replaceAll("\\", "/"), readFileSync(file, "utf8")]));
}

/** What an editor has open: twelve files, where the cursor is, what is not saved, and a table of all files. */
export function openEditor(sources: ReadonlyMap<string, string>): PmlDocument {
  const paths = [...sources.keys()].filter((path) => path !== FORGOTTEN).slice(0, 12);
  const files = paths.map(
    (path): PmlAttachment => ({ type: "attachment", kind: "file", path, content: sources.get(path) ?? "" }),
  );
  const [first = ""] = paths;
  const sizes = [...sources].map(([path, text]) => `${path}\t${text.split("\n").length}`);
  const others: PmlAttachment[] = [
    { type: "attachment", kind: "cursor", path: first, attributes: { line: "12", column: "5" } },
    {
      ...{ type: "attachment", kind: "diff", name: "not saved", keep: "high" },
      content: `--- ${first}\n+++ ${first}\n@@ -1 +1 @@\n-// old\n+// new\n`,
    },
    {
      type: "attachment",
      kind: "table",
      name: "lines by file",
      mime: "text/tab-separated-values",
      content: ["file\tlines", ...sizes].join("\n"),
    },
  ];
  return {
    version: "1",
    memory: [
      { type: "fact", id: "style", text: "Kim wants short answers, and changes as small as they can be." },
      { type: "summary", text: "Before, the timeouts of the endpoint were made options." },
    ],
    conversation: {
      id: "editor-1",
      topic: "How long an endpoint waits before it tries again",
      turns: [
        {
          index: 1,
          messages: [
            {
              type: "system",
              parts: [{ type: "text", text: "You help in an editor. Read a file before you change it." }],
            },
            {
              type: "user",
              name: "Kim",
              parts: [
                ...files,
                ...others,
                { type: "text", text: "Where is it decided how long the endpoint waits before it tries again?" },
              ],
            },
          ],
        },
      ],
    },
  };
}
