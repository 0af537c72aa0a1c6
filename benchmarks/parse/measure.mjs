import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { unknown } from "@toolingua/benchmark-timing/spread.mjs";
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
    ...memory(quick),
    ...measureAdversarial(quick),
    ...hostileSize(quick),
  ];
}

/**
 * Texts of a thousand characters take too little time for a ratio. `node benchmarks/parse/hostile-size.mjs` reads ten
 * times as much as this: 17 kinds of bodies with a hundred replies each, up to 10 MB.
 */
const hostileSize = (quick) => (quick ? unknown(measureHostileSize(1000)) : measureHostileSize(100_000));

function memory(quick) {
  const script = fileURLToPath(new URL("memory.mjs", import.meta.url));
  const rows = JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", script, quick ? "0.1" : "10"], { encoding: "utf8" }),
  );
  return quick ? unknown(rows) : rows;
}
