#!/usr/bin/env node
import { Console } from "node:console";
import module from "node:module";
import { endProcess } from "./terminal/end-process.js";
import { exitCodes } from "./terminal/exit-codes.js";
import { processIo } from "./terminal/io.js";
import { VERSION } from "./version.js";

// Newer versions of Node.js than the types are of keep compiled code between runs.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const { main } = await import("./main.js");

// Standard output is the command's. What users' modules and tools write through `console` or
// `process.stdout` goes to standard error.
const io = processIo();
Object.assign(console, new Console(process.stderr));
Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
// Also for `import { stdout } from "node:process"`.
module.syncBuiltinESMExports();

// A reader that stops early (`toolingua protocols | head -1`) has what it wanted.
for (const stream of [io.stdout, io.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") endProcess();
    // Standard error may be what cannot be written.
    if (stream === io.stdout) io.stderr.write(`error: The output cannot be written: ${error.message}\n`);
    endProcess(exitCodes.failure);
  });
}

process.title = `toolingua ${VERSION}`;
process.exitCode = await main(process.argv.slice(2), io);
// Output may still be buffered. Nothing else is awaited, such as a chat's tool that never ends.
await Promise.all([io.stdout, io.stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))));
endProcess();
