import { parseArgs } from "node:util";
import { servePage } from "./serve-page.js";

const { values } = parseArgs({ options: { port: { type: "string", default: "3000" }, help: { type: "boolean" } } });

if (values.help) console.log("npm run start:web-llm [-- --port 3000]");
else {
  const { url } = await servePage(Number(values.port));
  console.log(`The page is at ${url}. It loads its model from the hub of WebLLM, and needs a browser with WebGPU.`);
}
