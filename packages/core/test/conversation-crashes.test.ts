import { describeCrashes } from "./support/crash-suite.js";

// A slice of `npm run verify -- conversation-crashes`.

describeCrashes(60);
