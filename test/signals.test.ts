import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

// `kill` of the script, which sends the signal to that process alone: the example ends, and the script with it.
test("a script that is told to end tells its command, and ends as it does, without the next one", async () => {
  const command = `const wait = setTimeout(() => {}, 5000); process.on("SIGTERM", () => { clearTimeout(wait); process.exitCode = 7; }); console.log("ready")`;
  const script = `
    import { run } from "./scripts/lib/run.mjs";
    process.exitCode = await run(process.execPath, ["-e", ${JSON.stringify(command)}]);
    await run(process.execPath, ["-e", "console.log('next')"]);
  `;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const ready = new Promise<void>((resolve) => {
    parent.stdout.on("data", (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes("ready")) resolve();
    });
  });
  await ready;
  parent.kill("SIGTERM");
  // Its output ends once the command has ended too.
  const [code] = await once(parent, "close");
  expect(code).toBe(7);
  expect(said).toBe("ready\n");
}, 10_000);

// Ctrl-C, which reaches all processes of the group.
test.skipIf(process.platform === "win32").each([
  ["while a command runs", `await run(process.execPath, ["-e", "console.log('ready'); setTimeout(() => {}, 9000)"]);`],
  [
    "while a command runs that ends with 0,",
    `await run(process.execPath, ["-e", "process.on('SIGINT', () => process.exit(0)); console.log('ready'); setTimeout(() => {}, 9000)"]);`,
  ],
  ["between two commands", `console.log("ready"); await new Promise((resolve) => setTimeout(resolve, 9000));`],
])(
  "after Ctrl-C %s a script starts no other command",
  async (_, first) => {
    const script = `
      import { must, run } from "./scripts/lib/run.mjs";
      ${first}
      await must(process.execPath, ["-e", "console.log('next')"]);
    `;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [parent.stdout, parent.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += String(chunk);
        if (said === "ready\n") process.kill(-parent.pid!, "SIGINT");
      });
    const [code] = await once(parent, "close");
    expect([said, code]).toEqual(["ready\n", 130]);
  },
  10_000,
);

// `kill` of `npm start`: npm ends its shell, which passes nothing on.
test.skipIf(process.platform === "win32")(
  "a script whose shell of npm has ended ends its command",
  async () => {
    const command = `const wait = setTimeout(() => {}, 9000); process.on("SIGTERM", () => { clearTimeout(wait); console.log("ended"); }); console.log("ready")`;
    const script = `
    import { run } from "./scripts/lib/run.mjs";
    process.exitCode = await run(process.execPath, ["-e", ${JSON.stringify(command)}]);
  `;
    const shell = spawn("sh", ["-c", '"$0" --input-type=module -e "$1"; true', process.execPath, script], {
      cwd: root,
      env: { ...process.env, npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    shell.stdout.on("data", (chunk: Buffer) => {
      said += String(chunk);
      if (said === "ready\n") shell.kill("SIGTERM");
    });
    await once(shell, "close");
    expect(said).toBe("ready\nended\n");
  },
  10_000,
);
