#!/usr/bin/env node
import module from "node:module";

// Newer versions of Node.js than the types are of keep compiled code between runs.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const [{ main }, { VERSION }] = await Promise.all([import("./main.js"), import("./version.js")]);

// A reader that stops early (`toolingua protocols | head -1`) has what it wanted.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

process.title = `toolingua ${VERSION}`;
process.exitCode = await main(process.argv.slice(2));
// Output may still be buffered. Nothing else is awaited, such as a chat's tool that never ends.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
);
process.exit();
