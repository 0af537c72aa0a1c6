import type { ChildProcess } from "node:child_process";
import { InMemoryOAuthClientProvider } from "@modelcontextprotocol/sdk/examples/client/simpleOAuthClientProvider.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { example, freePort, start } from "../test/processes.js";
import { connectMcp } from "./index.js";

// The SDK's example: a server with a separate authorization server.

let child: ChildProcess;
let url = "";
beforeAll(async () => {
  const [port, authPort] = [await freePort(), await freePort()];
  const env = { MCP_PORT: String(port), MCP_AUTH_PORT: String(authPort) };
  child = await start([example("simpleStreamableHttp"), "--oauth"], env, /HTTP Server listening/);
  url = `http://localhost:${port}/mcp`;
}, 20_000);
afterAll(() => void child.kill());

/** Simulates a user who logs in and comes back with a code. */
function browser() {
  const redirectUrl = "http://localhost:9/callback";
  const visited: URL[] = [];
  const metadata = { client_name: "test", redirect_uris: [redirectUrl], grant_types: ["authorization_code"] };
  const authProvider = new InMemoryOAuthClientProvider(redirectUrl, metadata, (to: URL) => void visited.push(to));
  const authorizationCode = async () => {
    const response = await fetch(visited.at(-1)!, { redirect: "manual" });
    return new URL(response.headers.get("location")!).searchParams.get("code")!;
  };
  return { authProvider, authorizationCode, visited };
}

test("a user logs in once, and stays logged in", async () => {
  const { authProvider, authorizationCode, visited } = browser();
  const mcp = await connectMcp({ example: { url, authProvider, authorizationCode } }, { onProblem: () => {} });
  const greet = mcp.tools.find(({ name }) => name === "greet")!;
  expect(await greet.execute({ name: "Ann" }, { toolCallId: "1" })).toBe("Hello, Ann!");
  expect(visited).toHaveLength(1);
  await mcp.close();
  // With the stored tokens, the user does not have to log in again.
  const again = await connectMcp({ example: { url, authProvider } }, { onProblem: () => {} });
  expect(again.tools.length).toBe(mcp.tools.length);
  expect(visited).toHaveLength(1);
  await again.close();
});

test("without a code the login fails, and so does a wrong one", async () => {
  const { authProvider, visited } = browser();
  const servers = { example: { url, authProvider } };
  await expect(connectMcp(servers)).rejects.toMatchObject({ code: "unauthorized", server: "example" });
  expect(visited[0]?.searchParams.get("code_challenge_method")).toBe("S256");
  await expect(connectMcp({ example: { url } })).rejects.toMatchObject({ code: "unauthorized" });
  const wrong = { ...browser(), authorizationCode: () => "guessed" };
  await expect(
    connectMcp({ example: { url, authProvider: wrong.authProvider, authorizationCode: wrong.authorizationCode } }),
  ).rejects.toMatchObject({ server: "example" });
});
