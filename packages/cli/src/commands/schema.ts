import { type Command, Option } from "commander";
import type { SchemaOptions } from "../schema/run.js";
import type { CommandContext } from "./context.js";
import { gatherFilled, withExamples, withOutputOptions, withToolOptions } from "./options.js";

const providers: readonly SchemaOptions["provider"][] = [
  "toolingua",
  ...(["openai", "openai-responses", "openai-functions", "anthropic", "gemini", "mcp"] as const),
];

export function addSchema(program: Command, context: CommandContext): void {
  const command = program
    .command("schema")
    .summary("the tools of a module, OpenAPI document or MCP server as JSON Schema")
    .description("Prints tools as JSON, in the form that a provider takes. Losses are reported on standard error.")
    .argument("[sources...]", "the same as --tools", gatherFilled)
    .addOption(
      new Option("--provider <name>", "the form of the tools")
        .choices(providers)
        .default("toolingua")
        .env("TOOLINGUA_PROVIDER"),
    )
    .option("--only <names...>", "only these tools");
  withExamples(withOutputOptions(withToolOptions(command)), [
    ["functions and tools of a module", "toolingua schema tools.ts"],
    ["an API, for Anthropic's Messages", "toolingua schema --openapi api.yaml --provider anthropic"],
    [
      "an MCP server",
      'toolingua schema --mcp "npx -y @modelcontextprotocol/server-filesystem ." --only read_text_file',
    ],
  ]).action(context.action(async () => (await import("../schema/run.js")).run));
}
