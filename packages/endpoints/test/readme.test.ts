import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generateWithTools } from "@toolingua/core";
import { afterAll } from "vitest";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as endpoints from "../src/index.js";
import { reply } from "./support/scripted-server.js";

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
const server = createServer((_request, response) => response.end(reply(call).join("")));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => void server.close());

describeReadme(new URL("../README.md", import.meta.url), {
  count: 1,
  scope: { ...endpoints, generateWithTools },
  edit: (example) => example.replace("localhost:8080", `127.0.0.1:${(server.address() as AddressInfo).port}`),
});
