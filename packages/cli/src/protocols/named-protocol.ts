import { type ProtocolName, protocols } from "@toolingua/core";
import { didYouMean } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";

/**
 * Checks the name of a registered wire format.
 *
 * Errors: `CliError` (`usage`), with the name that was probably meant.
 *
 * @example namedProtocol("herms"); // throws: There is no protocol "herms". Did you mean "hermes"?
 */
export function namedProtocol(name: string): ProtocolName {
  if (isProtocolName(name)) return name;
  if (name === "auto") {
    const right = "without --protocol the model's name decides. Only `toolingua parse` takes auto, for any format.";
    throw new CliError("usage", `There is no protocol "auto" here: ${right}`);
  }
  const hint = didYouMean(name, Object.keys(protocols), "`toolingua protocols` lists all.");
  throw new CliError("usage", `There is no protocol "${name}". ${hint}`);
}

const isProtocolName = (name: string): name is ProtocolName => Object.hasOwn(protocols, name);
