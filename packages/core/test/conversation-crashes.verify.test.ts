import { describeCrashes } from "./support/crash-suite.js";

// `npm run verify -- conversation-crashes`; `CRASH_RUNS=500` runs fewer.

describeCrashes(Number(process.env.CRASH_RUNS ?? 10_000));
