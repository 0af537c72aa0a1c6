import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { portOf, run } from "@toolingua/example-command-line";
import { withDownloadBar } from "@toolingua/example-command-line/download-bar";
import { type GatewayConfig, GatewayConfigError, readConfig, serve } from "@toolingua/gateway";
import { resolveModel } from "@toolingua/llama-cpp";

/** A small model in this process, where there is no file. */
const embedded: GatewayConfig = {
  models: [
    {
      name: "local",
      embedded: process.env.TOOLINGUA_MODEL ?? "smollm2-135m",
      protocol: "hermes",
      style: "signature",
      constraint: "auto",
      contextWindow: 8192,
    },
  ],
};

const commandLine = {
  command: "npm run start:gateway",
  about: "Serves OpenAI's and Anthropic's APIs, with tools, for a model that has none.",
  options: {
    config: { value: "FILE", what: "the configuration; default: a small model in this process" },
    port: { value: "N", what: "instead of the configuration's (8000); 0: any that is free" },
  },
};

await run(commandLine, async ({ options }) => {
  const port = options.port === undefined ? undefined : portOf(options.port);
  const configuration = async (): Promise<GatewayConfig> => {
    const config = options.config === undefined ? embedded : await readConfig(options.config);
    return port === undefined ? config : { ...config, server: { ...config.server, port } };
  };
  const config = await configuration();
  await findModels(config);
  // One line a request, on standard error.
  const gateway = await serve(config, { log: (record) => console.error(JSON.stringify(record)) });
  process.on("SIGHUP", async () => {
    try {
      gateway.reload(await configuration());
      console.error("The configuration was read again.");
    } catch (error) {
      console.error(error instanceof GatewayConfigError ? error.message : error);
    }
  });
  // Not `once`: libraries end the process where they find no other listener.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => gateway.close());
  // Whoever reads this may send signals.
  console.log(`toolingua listening on ${gateway.url}\n`);
  console.log(usage(gateway.url, config.models[0]!.name, (config.server?.keys ?? []).length > 0));
});

/** Finds the models of this process, or downloads them, before clients ask for them. */
async function findModels({ models }: GatewayConfig): Promise<void> {
  for (const { embedded: name } of models) {
    if (name !== undefined) await withDownloadBar((onProgress) => resolveModel(name, { onProgress }));
  }
}

/** A curl command and an SDK call, for those who want to try it. */
function usage(url: string, model: string, hasKeys: boolean): string {
  const key = hasKeys ? "YOUR_KEY" : "none";
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const request = {
    model,
    messages: [{ role: "user", content: "What is the weather in Oslo?" }],
    tools: [{ type: "function", function: { name: "get_weather", description: "The weather of a city", parameters } }],
    tool_choice: "required",
    max_tokens: 100,
  };
  const code = [
    'import OpenAI from "openai"',
    `const openai = new OpenAI({ baseURL: "${url}/v1", apiKey: "${key}" })`,
    `const { choices } = await openai.chat.completions.create(${JSON.stringify(request)})`,
    "console.log(JSON.stringify(choices[0].message.tool_calls))",
  ];
  // The SDK is installed beside this example.
  const folder = relative(process.env.INIT_CWD ?? process.cwd(), fileURLToPath(new URL("..", import.meta.url)));
  return [
    "With curl:",
    `curl -s ${url}/v1/chat/completions -H 'content-type: application/json' -H 'authorization: Bearer ${key}' -d '${JSON.stringify(request)}'`,
    "",
    "With the SDK:",
    `${folder === "" ? "" : `cd ${folder} && `}node --input-type=module -e '${code.join("; ")}'`,
  ].join("\n");
}
