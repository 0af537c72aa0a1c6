import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { afterAll } from "vitest";
import { describeReadme } from "../../../test/support/readme-examples.js";
import { reply } from "../../endpoints/test/support/scripted-server.js";
import * as gateway from "../src/index.js";
import { call } from "./support/gateway.js";

const server = createServer((_request, response) => response.end(reply(call({ city: "Oslo" })).join("")));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => void server.close());

describeReadme(new URL("../README.md", import.meta.url), {
  count: 1,
  scope: { ...gateway, OpenAI },
  edit: (example) => example.replace("localhost:11434", `127.0.0.1:${(server.address() as AddressInfo).port}`),
});
