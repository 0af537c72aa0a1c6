import { didYouMean } from "@toolingua/core/adapters";
import { type ListedModel, listModels, removeModel } from "@toolingua/llama-cpp";
import { CliError } from "../terminal/errors.js";
import { table } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { megabytes, pullModel } from "./pull-model.js";
import { scores } from "./scores.js";

/** `toolingua models list`. */
export async function list(terminal: Terminal, unknown: string | undefined): Promise<void> {
  if (unknown !== undefined) {
    const right = didYouMean(unknown, ["list", "pull", "remove"]);
    throw new CliError("usage", `There is no command "models ${unknown}". ${right}`);
  }
  const models = await listModels();
  if (terminal.json) return terminal.printJson(models.map(facts));
  const rows = models.map((model) => {
    const { score } = facts(model);
    return [
      terminal.style("cyan", model.name),
      model.isCached ? terminal.style("green", "here") : "-",
      megabytes(model.bytes),
      model.contextLength === undefined ? "?" : `${model.contextLength}`,
      score ? `${score.right} of ${score.questions}` : "-",
      model.license,
    ];
  });
  terminal.print(table(terminal, ["model", "", "size", "context", "right calls", "licence"], rows));
  terminal.note(
    "\nRight calls: questions of the Berkeley Function Calling Leaderboard, in `hermes`, under a grammar, after one example. Not all models were asked as many.",
  );
}

/** `toolingua models pull`. */
export async function pull(terminal: Terminal, name: string): Promise<void> {
  const { path, source } = await pullModel(terminal, name);
  const model = (await listModels()).find((one) => one.name === name);
  if (terminal.json)
    terminal.printJson({ name, path, source, ...(model && { bytes: model.bytes, sha256: model.sha256 }) });
  else {
    if (source === "cache") terminal.note("It was here already.");
    else if (model) terminal.note(`SHA-256 ${model.sha256}: as it should be.`);
    terminal.print(path);
  }
}

/** `toolingua models remove`. */
export async function remove(terminal: Terminal, name: string): Promise<void> {
  const removed = await removeModel(name);
  if (terminal.json) terminal.printJson({ name, removed });
  else terminal.note(removed ? `${name} is removed.` : `${name} was not here.`);
}

function facts({ name, bytes, sha256, license, contextLength, about, path, isCached }: ListedModel) {
  return { name, isCached, path, bytes, sha256, license, contextLength, about, score: scores[name] };
}
