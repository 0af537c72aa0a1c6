import { serveStdio } from "@toolingua/mcp";

const look = { name: "look", description: "Looks", annotations: { readOnlyHint: true }, execute: () => "seen" };
const touch = { name: "touch", description: "Touches", execute: () => "touched" };
await serveStdio([look, touch], { name: "things", version: "1.0.0" });
