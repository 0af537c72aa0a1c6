import { type Command, Option } from "commander";
import { shells } from "../completion/shells.js";
import type { CommandContext } from "./context.js";
import { withExamples } from "./options.js";

/** `others`: creates the program without these two commands, for the completions. */
export function addCompletion(program: Command, context: CommandContext, others: () => Command): void {
  const command = program
    .command("completion")
    .summary("completions for bash, zsh and fish")
    .description("Prints a script that teaches a shell to complete commands, options, wire formats and models.")
    .argument("<shell>", shells.join(", "))
    .addOption(new Option("--json", "the script in JSON").hideHelp());
  withExamples(command, [
    ["bash", "echo 'source <(toolingua completion bash)' >> ~/.bashrc"],
    ["zsh", "echo 'source <(toolingua completion zsh)' >> ~/.zshrc"],
    ["fish", "toolingua completion fish > ~/.config/fish/completions/toolingua.fish"],
  ]).action(
    context.action(async () => {
      const { printScript } = await import("../completion/run.js");
      return (terminal, shell: string) => printScript(terminal, others(), shell);
    }),
  );
  // The scripts run this at each Tab.
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .action(
      context.action(async () => {
        const { complete } = await import("../completion/run.js");
        return (terminal, words: string[]) => complete(terminal, others(), words);
      }),
    );
}
