import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "2026.10.11549";
const packages = join(tmpdir(), `toolingua-xllamacpp-${version}`);
const script = fileURLToPath(new URL("./llama_server.py", import.meta.url));

/** llama.cpp's server is in a wheel for Python: installed by pip once, where there is one. Undefined, or why it is missing. */
export function llamaServerMissing(): string | undefined {
  if (existsSync(join(packages, "xllamacpp"))) return undefined;
  const wanted = ["install", "--quiet", "--no-deps", "--only-binary=:all:", "--target", packages];
  const { status, error } = spawnSync("python3", ["-m", "pip", ...wanted, `xllamacpp==${version}`], {
    timeout: 120_000,
  });
  if (status === 0) return undefined;
  return error ? "there is no python3" : `pip cannot install xllamacpp ${version}`;
}

export type LlamaServer = Awaited<ReturnType<typeof startLlamaServer>>;

/** A real llama.cpp server for a model, in a process of its own. `template`: the chat template, for files without one. */
export async function startLlamaServer(model: string, template?: string) {
  const options = JSON.stringify({ model, port: await freePort(), ...(template !== undefined && { template }) });
  const server = spawn("python3", [script, options], {
    env: { ...process.env, PYTHONPATH: packages },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  let log = "";
  server.stderr.on("data", (text) => {
    log = (log + text).slice(-10_000);
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (text) => {
      output += text;
      const address = /LISTENING (\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
    server.once("error", reject).once("exit", (code) => reject(new Error(`The server ended with ${code}.\n${log}`)));
  });
  return {
    baseURL: `${url}/v1`,
    /** Whether the server is writing a reply. */
    async busy(): Promise<boolean> {
      const slots = (await (await fetch(`${url}/slots`)).json()) as { is_processing: boolean }[];
      return slots.some((slot) => slot.is_processing);
    },
    /** Ends it at once, in the middle of whatever it does. */
    kill(): Promise<void> {
      server.kill("SIGKILL");
      return ended;
    },
  };
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
