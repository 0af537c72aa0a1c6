import { createServer } from "node:http";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { TextModel } from "@toolingua/core";
import { ToolConversation } from "@toolingua/core/conversation";
import { describe } from "vitest";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as mcp from "../src/index.js";

// The examples of the README and of docs/mcp.md, word for word; only the model is a scripted one.

const folder = fileURLToPath(new URL("..", import.meta.url));
const filesystem = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

/** Calls a tool, then answers by its result. */
const model: TextModel = async function* ({ messages }) {
  const isRead = messages.at(-1)?.content.includes("Permission is hereby granted");
  yield isRead ? "The MIT License." : "<read_text_file><path>LICENSE</path></read_text_file>";
};

for (const [page, count] of Object.entries({ "../README.md": 2, "../../../docs/mcp.md": 1 }))
  describe(page, () =>
    describeReadme(new URL(page, import.meta.url), {
      count,
      scope: { ...mcp, createServer, ToolConversation, chatEndpoint: () => model },
      // npx would ask the registry.
      edit: (example) =>
        example
          .replace('command: "npx"', "command: process.execPath")
          .replace(
            '"-y", "@modelcontextprotocol/server-filesystem", "."',
            JSON.stringify([filesystem, folder]).slice(1, -1),
          ),
    }),
  );
