import { existsSync } from "node:fs";
import { didYouMean } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";
import { printable } from "../terminal/printable.js";
import { table } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { writeState } from "./history-file.js";
import type { ChatSession } from "./session.js";

/** A command of the chat. The result `end` ends the chat. */
interface SlashCommand {
  argument?: string;
  about: string;
  run(session: ChatSession, terminal: Terminal, argument: string): Promise<"end" | undefined>;
}

const commands: Record<string, SlashCommand> = {
  "/tools": {
    about: "the tools, and which of them wait for approval",
    async run(session, terminal) {
      if (session.tools.length === 0) terminal.print("No tools: see --tools, --mcp and --openapi.");
      else
        terminal.print(
          table(
            terminal,
            ["tool", "", "what it does"],
            session.tools.map((tool) => toolRow(session, tool)),
          ),
        );
      return undefined;
    },
  },
  "/raw": {
    about: "what the model wrote since your last message, exactly",
    async run({ raw }, terminal) {
      const replies = raw.map((reply) => printable(reply)).join(terminal.style("dim", "\n── the next reply ──\n"));
      terminal.print(replies === "" ? "The model has not ended a reply yet." : replies);
      return undefined;
    },
  },
  "/protocol": {
    argument: "[NAME]",
    about: "the wire format of calls, or another one from here on",
    async run(session, terminal, name) {
      if (name !== "") await session.changeProtocol(name);
      terminal.print(`${session.protocol} (${session.protocolFrom})`);
      return undefined;
    },
  },
  "/save": {
    argument: "FILE",
    about: "write the chat to a file, for --history and ToolConversation.fromJSON",
    async run({ conversation }, terminal, file) {
      if (file === "") throw new CliError("usage", "/save needs a file name, such as /save chat.json.");
      if (existsSync(file)) throw new CliError("bad-input", `${file} already exists: choose another name.`);
      writeState(file, conversation.toJSON());
      terminal.print(`Saved to ${file}.`);
      return undefined;
    },
  },
  "/help": {
    about: "this",
    async run(_session, terminal) {
      const lines = Object.entries(commands).map(([name, { argument = "", about }]) => [`${name} ${argument}`, about]);
      terminal.print(table(terminal, ["command", ""], lines));
      terminal.print(
        "Ctrl-C stops the answer; pressed twice, it ends the chat. A backslash at the end continues a line.",
      );
      return undefined;
    },
  },
  "/exit": { about: "end the chat, as Ctrl-D does", run: async () => "end" },
};

/** The names of the commands, for completion. */
export const slashCommands: readonly string[] = Object.keys(commands);

/** Whether a message is a command: one line that begins with a slash and a word, unlike `/etc/hosts …`. */
export const isSlashCommand = (message: string): boolean => /^\/[a-z]+(?: .*)?$/i.test(message);

/**
 * Runs a command of the chat.
 *
 * Errors: `CliError` (`usage`) for an unknown command; those of the command.
 *
 * @example await runSlashCommand("/protocol hermes", session, terminal);
 */
export async function runSlashCommand(
  line: string,
  session: ChatSession,
  terminal: Terminal,
): Promise<"end" | undefined> {
  const [name = "", argument = ""] = line.trim().split(/\s+(.*)/s);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command.run(session, terminal, argument.trim());
  const hint = didYouMean(name, slashCommands);
  throw new CliError("usage", `There is no command ${name}. ${hint} With a space before it, it is sent to the model.`);
}

function toolRow(session: ChatSession, tool: ChatSession["tools"][number]): string[] {
  const waits = tool.execute === undefined ? "you answer" : session.waits(tool.name) ? "waits" : "runs";
  return [printable(tool.name), waits, printable(tool.description?.split("\n")[0] ?? "")];
}
