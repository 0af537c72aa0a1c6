// A gateway as a process of its own, for what is measured of a process. Its configuration comes as JSON; messages ask for its
// state.
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "@toolingua/gateway";

const gateway = await serve(JSON.parse(process.argv[2]), { log: () => {} });
process.send({ url: gateway.url });
process.on("message", async (message) => {
  if (message === "close") {
    await gateway.close();
    process.disconnect();
    return;
  }
  // What was just let go is free after a moment.
  await sleep(200);
  globalThis.gc();
  const resources = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  process.send({ heap: process.memoryUsage().heapUsed, resources });
});
