import { type ProtocolName, protocols } from "@toolingua/core";
import { didYouMean } from "@toolingua/core/adapters";
import { CliError } from "../terminal/errors.js";

/** The names of all wire formats, in the order of the registry. */
export const protocolNames = Object.keys(protocols).filter((name): name is ProtocolName =>
  Object.hasOwn(protocols, name),
);

/**
 * Checks the name of a registered wire format.
 *
 * Errors: `CliError` (`usage`), with the name that was probably meant.
 *
 * @example namedProtocol("herms"); // throws: There is no protocol "herms". Did you mean "hermes"?
 */
export function namedProtocol(name: string): ProtocolName {
  const known = protocolNames.find((one) => one === name);
  if (known) return known;
  const hint = didYouMean(name, protocolNames, "`toolingua protocols` lists all.");
  throw new CliError("usage", `There is no protocol "${name}". ${hint}`);
}
