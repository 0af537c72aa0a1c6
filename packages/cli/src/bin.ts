#!/usr/bin/env node
import { main } from "./main.js";
import { VERSION } from "./version.js";

// Who reads no further (`toolingua protocols | head -1`) has what was wanted.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

process.title = `toolingua ${VERSION}`;
process.exitCode = await main(process.argv.slice(2));
// What was written may still be on its way. Nothing else is waited for, such as a tool of a chat that never ends.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
);
process.exit();
