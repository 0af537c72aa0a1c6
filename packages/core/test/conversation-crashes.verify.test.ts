import { describeCrashes } from "./support/crash-suite.js";

// `npm run verify -- conversation-crashes`; with CRASH_RUNS=500 fewer of them.

describeCrashes(Number(process.env.CRASH_RUNS ?? 10_000));
