import { knownProtocol, type ProtocolName, protocolForModel } from "@toolingua/core";
import { CliError } from "../terminal/errors.js";
import { table } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { allFacts, facts, placeWords } from "./facts.js";
import { namedProtocol, protocolNames } from "./named-protocol.js";

/** The options of `toolingua protocols`. */
export interface ProtocolsOptions {
  model?: string;
}

/** `toolingua protocols`: all wire formats, the one of a model, or one with an example. */
export async function run(terminal: Terminal, name: string | undefined, { model }: ProtocolsOptions): Promise<void> {
  if (name !== undefined && model !== undefined) {
    throw new CliError("usage", "A name and --model cannot be given together.");
  }
  const shown = model === undefined ? name : protocolForModel(model);
  if (shown === undefined) list(terminal);
  else show(terminal, namedProtocol(shown), model);
  if (model !== undefined && knownProtocol(model) === undefined) {
    terminal.note(
      `\nNo wire format is known for ${model}: ${shown} is the one for any model. \`toolingua probe\` finds the one that it writes best.`,
    );
  }
}

function list(terminal: Terminal): void {
  if (terminal.json) return terminal.printJson(protocolNames.map(facts));
  const rows = protocolNames.map((name) => {
    const { models, parallelCalls } = facts(name);
    return [terminal.style("cyan", name), parallelCalls ? "several" : "one", models];
  });
  terminal.print(table(terminal, ["protocol", "calls", "models"], rows));
  terminal.note("\n`toolingua protocols NAME` shows one with an example.");
}

function show(terminal: Terminal, name: ProtocolName, model: string | undefined): void {
  const all = allFacts(name);
  if (terminal.json)
    return terminal.printJson(
      model === undefined ? all : { model, fallback: knownProtocol(model) === undefined, ...all },
    );
  terminal.print(
    [
      `${terminal.style("bold", name)}${model === undefined ? "" : `, for ${model}`}`,
      `models   ${all.models}`,
      `source   ${all.source}`,
      `calls    ${all.parallelCalls ? "several in a reply" : "one in a reply"}, ${placeWords[all.callsStand]}`,
      `grammar  ${all.grammar ? "yes" : "no"}`,
      "",
      all.example,
    ].join("\n"),
  );
}
