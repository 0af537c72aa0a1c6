import { portOf, run } from "@toolingua/example-command-line";
import { servePage } from "./serve-page.js";

const commandLine = {
  command: "npm run start:web-llm",
  about: "Serves a page with a chat, whose model and tools run in the browser.",
  options: { port: { value: "N", default: "3000", what: "where the page is; 0: any port that is free" } },
};

await run(commandLine, async ({ options }) => {
  const { url } = await servePage(portOf(options.port));
  console.log(`The page is at ${url}. It loads its model from the hub of WebLLM, and needs a browser with WebGPU.`);
});
