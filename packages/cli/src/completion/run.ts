import type { RootCommand } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import { protocols } from "@toolingua/core";
import { didYouMean } from "@toolingua/core/adapters";
import type { Command } from "commander";
import { clientNames } from "../doctor/clients.js";
import { clients as launched } from "../launch/clients.js";
import { CliError } from "../terminal/errors.js";
import type { Terminal } from "../terminal/terminal.js";
import { filesLike } from "./files-like.js";
import { shells } from "./shells.js";

/** `toolingua completion`: prints the script for a shell. */
export async function printScript(terminal: Terminal, program: Command, shell: string): Promise<void> {
  if (!shells.some((known) => known === shell)) {
    throw new CliError("usage", `There are no completions for "${shell}". ${didYouMean(shell, shells)}`);
  }
  const script = written(() => completions(program, "").setup("toolingua", "toolingua", shell));
  if (terminal.json) terminal.printJson({ shell, script });
  else terminal.print(script);
}

/** `toolingua complete -- WORDS`: prints the completions of the last word. */
export async function complete(terminal: Terminal, program: Command, words: readonly string[]): Promise<void> {
  const last = words.at(-1) ?? "";
  terminal.print(written(() => completions(program, last).parse([...words])));
}

/** All commands and options, as tab reads them from commander, with known values. */
function completions(program: Command, word: string): RootCommand {
  // A description may have several lines, a completion only one.
  for (const command of program.commands) command.description(command.summary() || command.description());
  const root = tab(program);
  // tab adds its own command, which users must not see.
  root.commands.delete("complete");
  root.command("completion", "completions for bash, zsh and fish").argument("shell");
  const names = (all: readonly string[]) => (add: (value: string, description: string) => void) => {
    for (const name of all) add(name, "");
  };
  const files = names(filesLike(word.replace(/^--[\w-]+=/, "")));
  const formats = names(["auto", ...Object.keys(protocols)]);
  for (const command of root.commands.values()) {
    const protocol = command.options.get("protocol");
    if (protocol) protocol.handler = formats;
    for (const option of ["tools", "openapi", "config", "template", "schema", "test-file"]) {
      const found = command.options.get(option);
      if (found) found.handler = files;
    }
    const client = command.options.get("client");
    if (client) client.handler = names(clientNames);
    for (const argument of command.arguments.values()) {
      if (command.value === "launch" && argument.name === "client") argument.handler = names(Object.keys(launched));
      if (argument.name === "file" || argument.name === "sources") argument.handler = files;
      if (command.value === "protocols") argument.handler = names(Object.keys(protocols));
      if (command.value === "completion") argument.handler = names(shells);
    }
  }
  return root;
}

/** The text that tab writes to the console. */
function written(write: () => void): string {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: unknown) => lines.push(String(line));
  try {
    write();
  } finally {
    console.log = log;
  }
  return lines.join("\n");
}
