import { createServer } from "node:http";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as mcp from "../src/index.js";

const folder = fileURLToPath(new URL("..", import.meta.url));
const filesystem = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

describeReadme(new URL("../README.md", import.meta.url), {
  count: 2,
  scope: { ...mcp, createServer },
  // npx would ask the registry.
  edit: (example) =>
    example
      .replace('command: "npx"', "command: process.execPath")
      .replace(
        '"-y", "@modelcontextprotocol/server-filesystem", "."',
        JSON.stringify([filesystem, folder]).slice(1, -1),
      ),
});
