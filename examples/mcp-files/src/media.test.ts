import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toLangChainTools } from "@toolingua/langchain";
import { connectMcp } from "@toolingua/mcp";
import { ToolMessage } from "langchain";
import { expect, test } from "vitest";

test("a picture of an MCP server is a block of LangChain's tool message", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-media-"));
  writeFileSync(join(folder, "dot.png"), Buffer.from([137, 80, 78, 71]));
  const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const files = { command: process.execPath, args: [server, folder] };
  const mcp = await connectMcp({ files }, { media: "blocks" });
  try {
    const read = toLangChainTools(mcp).find(({ name }) => name === "read_media_file")!;
    const call = { type: "tool_call" as const, id: "1", name: read.name, args: { path: join(folder, "dot.png") } };
    const message: unknown = await read.invoke(call);
    expect(message).toBeInstanceOf(ToolMessage);
    expect((message as ToolMessage).content).toEqual([{ type: "image", mimeType: "image/png", data: "iVBORw==" }]);
  } finally {
    await mcp.close();
    rmSync(folder, { recursive: true });
  }
});
