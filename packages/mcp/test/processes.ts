import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";

// Real servers of others as processes.

const resolve = createRequire(import.meta.url).resolve;
/** The reference server of MCP, which has something of everything. */
export const EVERYTHING = resolve("@modelcontextprotocol/server-everything/dist/index.js");
/** An example of the SDK. */
export const example = (name: string) => resolve(`@modelcontextprotocol/sdk/examples/server/${name}.js`);

export async function freePort(): Promise<number> {
  const socket = createServer().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  await new Promise((done) => socket.close(done));
  return port;
}

/** Starts a script and waits for the words with which it says that it listens. */
export async function start(
  args: readonly string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  await new Promise<void>((done, failed) => {
    const hear = (chunk: unknown) => {
      said += String(chunk);
      if (ready.test(said)) done();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (code) => failed(new Error(`ended with ${code}: ${said}`)));
  });
  return child;
}
