import { nearestNames } from "@toolingua/core/adapters";
import { Command } from "commander";
import { addChat } from "./commands/chat.js";
import { addCompletion } from "./commands/completion.js";
import type { CommandContext } from "./commands/context.js";
import { addDoctor } from "./commands/doctor.js";
import { addGrammar } from "./commands/grammar.js";
import { addLaunch } from "./commands/launch.js";
import { addModels } from "./commands/models.js";
import { checkValues } from "./commands/options.js";
import { addParse } from "./commands/parse.js";
import { addPml } from "./commands/pml.js";
import { addProbe } from "./commands/probe.js";
import { addProtocols } from "./commands/protocols.js";
import { addRender } from "./commands/render.js";
import { addSchema } from "./commands/schema.js";
import { addServe } from "./commands/serve.js";
import { sizeOf } from "./terminal/io.js";
import { VERSION } from "./version.js";

/** Every command except those for completions, in the order of the help. */
const commands = [
  ...[addChat, addServe, addLaunch, addProbe, addDoctor],
  ...[addParse, addRender, addSchema, addGrammar, addProtocols, addPml, addModels],
];

/**
 * The whole command line. A command's implementation is imported when it runs, to keep the start fast.
 *
 * @example await createProgram(new CommandContext(processIo())).parseAsync(["protocols"], { from: "user" });
 */
export function createProgram(context: CommandContext): Command {
  const program = withoutCompletions(context);
  addCompletion(program, context, () => withoutCompletions(context));
  return program;
}

function withoutCompletions(context: CommandContext): Command {
  const { stdout, stderr, env } = context.io;
  const program = new Command("toolingua")
    .description("Tool calling for every chat model.")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // `main` reports all errors.
      outputError: () => {},
      getOutHelpWidth: () => (stdout.isTTY ? sizeOf(stdout).columns : 100),
      getErrHelpWidth: () => (stderr.isTTY ? sizeOf(stderr).columns : 100),
      getOutHasColors: () => (stdout.isTTY === true && stdout.hasColors?.(env)) ?? false,
      getErrHasColors: () => (stderr.isTTY === true && stderr.hasColors?.(env)) ?? false,
    })
    .addHelpText(
      "after",
      "\nExit codes: 0 calls or success, 1 text only, 2 an invalid call, 64 wrong usage, 130 Ctrl-C, 70 anything else.",
    );
  for (const add of commands) add(program, context);
  for (const command of [program, ...program.commands]) refuseUnknown(command);
  checkValues(program);
  return program;
}

/** `toolingua chta --help` is not answered with the help for all commands. */
function refuseUnknown(command: Command): void {
  if (command.commands.length === 0) return;
  command.on("beforeHelp", () => {
    const [name = "-"] = command.args[0] === "help" ? command.args.slice(1) : command.args;
    const names = command.commands.map((one) => one.name());
    if (name.startsWith("-") || ["help", ...names].includes(name)) return;
    const { meant } = nearestNames(name, names);
    const hint = meant === undefined ? "" : `\n(Did you mean ${meant}?)`;
    command.error(`error: unknown command '${name}'${hint}`, { code: "commander.unknownCommand" });
  });
}
