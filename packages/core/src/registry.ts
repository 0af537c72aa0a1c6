import { didYouMean } from "./common/nearest-name.js";
import { ProtocolError } from "./errors.js";
import type { Protocol } from "./protocol.js";

/**
 * Protocols by name. Parsers cache the compiled registry by its object: keep it in a constant, and do not change it.
 */
export type Registry = Readonly<Record<string, Protocol>>;

/**
 * The protocol with a name.
 *
 * Errors: {@link ProtocolError} with code `unknown-protocol`.
 *
 * @example protocolNamed("herms", { hermes, xml }); // throws: There is no protocol "herms". Did you mean "hermes"?
 */
export function protocolNamed(name: string, registry: Registry): Protocol {
  const found = Object.hasOwn(registry, name) ? registry[name] : undefined;
  if (found) return found;
  const names = Object.keys(registry);
  const right =
    names.length === 0
      ? 'None is registered here: give the protocol itself, such as `hermes` of "@toolingua/core/protocols/hermes", or a `registry`, such as the `protocols` of "@toolingua/core/protocols".'
      : didYouMean(String(name), names);
  throw new ProtocolError("unknown-protocol", `There is no protocol "${name}". ${right}`);
}
