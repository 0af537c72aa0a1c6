import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { measureAdversarial } from "./adversarial.mjs";
import { measureHostileSize } from "./hostile-size.mjs";
import { measureStreaming } from "./streaming.mjs";
import { measureWhole } from "./whole.mjs";

/** The parser: whole replies, streams, memory, and hostile text. `quick`: a rough look, with unreliable figures. */
export async function measure(quick) {
  return [
    ...(await measureWhole(quick)),
    ...(await measureStreaming(quick)),
    // In its own process, in which nothing else was parsed.
    ...JSON.parse(
      execFileSync(
        process.execPath,
        ["--expose-gc", fileURLToPath(new URL("memory.mjs", import.meta.url)), quick ? "0.1" : "10"],
        { encoding: "utf8" },
      ),
    ),
    ...measureAdversarial(quick),
    ...measureHostileSize(quick ? 1000 : 1_000_000),
  ];
}
