import { type ProtocolName, protocolForModel } from "@toolingua/core";
import { CliError } from "../terminal/errors.js";
import { namedProtocol } from "./named-protocol.js";

/**
 * The wire format that a command line asks for, by its name or by that of a model; `undefined` if it does not.
 *
 * Errors: `CliError` (`usage`) for both, of which one would be ignored, and for an unknown name.
 *
 * @example askedProtocol({ model: "qwen2.5:7b" }); // "hermes"
 */
export function askedProtocol({
  protocol,
  model,
}: {
  protocol?: string | undefined;
  model?: string | undefined;
}): ProtocolName | undefined {
  const named = protocol === undefined ? undefined : namedProtocol(protocol);
  if (model === undefined) return named;
  if (named === undefined) return protocolForModel(model);
  throw new CliError(
    "usage",
    `--protocol ${named} (or TOOLINGUA_PROTOCOL) and --model ${model} both name a wire format: give one.`,
  );
}
