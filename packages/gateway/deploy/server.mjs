// node server.mjs FILE: the gateway of this configuration. SIGHUP reads the file again, SIGTERM and SIGINT let answers end.
import { GatewayConfigError, readConfig, serve } from "@toolingua/gateway";

const path = process.argv[2];
const report = (error) => console.error(error instanceof GatewayConfigError ? error.message : error);

try {
  // One line of JSON a request.
  const gateway = await serve(await readConfig(path), { log: (record) => console.log(JSON.stringify(record)) });
  console.log(JSON.stringify({ event: "listening", url: gateway.url }));
  process.on("SIGHUP", async () => {
    try {
      gateway.reload(await readConfig(path));
      console.log(JSON.stringify({ event: "reloaded" }));
    } catch (error) {
      report(error);
    }
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => gateway.close());
} catch (error) {
  report(error);
  process.exitCode = 1;
}
