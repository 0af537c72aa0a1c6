import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
  type PromptMessage,
} from "@modelcontextprotocol/sdk/types.js";
import { didYouMean } from "@toolingua/core/adapters";
import type { Completer, Completers } from "./completers.js";

/** An argument of a prompt: a string. */
export interface PromptArgument {
  name: string;
  description?: string | undefined;
  required?: boolean | undefined;
  /** Completes a value, for clients that offer completion. */
  complete?: Completer | undefined;
}

/** A served prompt. `render` returns its messages; a string is one message of the user. */
export interface ServedPrompt {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  arguments?: readonly PromptArgument[] | undefined;
  render(
    args: Readonly<Record<string, string>>,
  ): string | readonly PromptMessage[] | Promise<string | readonly PromptMessage[]>;
}

export function addPrompts(server: Server, prompts: readonly ServedPrompt[], completers: Completers): void {
  for (const { name, arguments: args = [] } of prompts) {
    for (const { name: argument, complete } of args) {
      if (complete) completers.add("ref/prompt", name, argument, complete);
    }
  }
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(args && {
        arguments: args.map(({ name: argument, description: about, required }) => ({
          name: argument,
          ...(about !== undefined && { description: about }),
          ...(required !== undefined && { required }),
        })),
      }),
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const prompt = prompts.find((one) => one.name === name);
    if (!prompt) {
      const known = prompts.map((one) => one.name);
      throw refused(`Unknown prompt: "${name}". ${didYouMean(name, known)}`);
    }
    const missing = prompt.arguments?.find((one) => one.required && !Object.hasOwn(given, one.name));
    if (missing) throw refused(`The prompt "${name}" needs the argument "${missing.name}".`);
    const rendered = await prompt.render(given);
    const messages: PromptMessage[] =
      typeof rendered === "string" ? [{ role: "user", content: { type: "text", text: rendered } }] : [...rendered];
    return { messages, ...(prompt.description !== undefined && { description: prompt.description }) };
  });
}

const refused = (message: string) => new McpError(ErrorCode.InvalidParams, message);
