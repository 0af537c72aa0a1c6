#!/usr/bin/env node
import { main } from "./main.js";
import { exitCodes } from "./terminal/exit-codes.js";
import { VERSION } from "./version.js";

// Who reads no further (`toolingua protocols | head -1`) has what was wanted.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

process.title = `toolingua ${VERSION}`;
// Not `process.exit`: what was written may still be on its way.
process.exitCode = await main(process.argv.slice(2));
// Who interrupted it waits for nothing more, such as a tool that still runs.
if (process.exitCode === exitCodes.interrupted) process.exit();
