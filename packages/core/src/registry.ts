import { describeValue } from "./common/describe-value.js";
import { didYouMean } from "./common/nearest-name.js";
import { isObject } from "./common/plain-object.js";
import { ProtocolError } from "./errors.js";
import type { Protocol } from "./protocol.js";

/**
 * Protocols by name. Parsers cache the compiled registry by its object: keep it in a constant, and do not change it.
 */
export type Registry = Readonly<Record<string, Protocol>>;

/**
 * The protocol that is given, by its name or itself.
 *
 * Errors: {@link ProtocolError} with code `unknown-protocol`, also for a value that is neither.
 *
 * @example protocolIn({ hermes, xml }, "herms"); // throws: There is no protocol "herms". Did you mean "hermes"?
 */
export function protocolIn(registry: Registry, given: unknown): Protocol {
  if (isProtocol(given)) return given;
  if (typeof given !== "string") {
    const right = 'A protocol is a name, such as "hermes", or what `defineProtocol` returns';
    throw new ProtocolError("unknown-protocol", `${right}, not ${describeValue(given)}.`);
  }
  const found = Object.hasOwn(registry, given) ? registry[given] : undefined;
  if (found) return found;
  const names = Object.keys(registry);
  const right =
    names.length === 0
      ? 'None is registered: give the protocol itself, such as `hermes` of "@toolingua/core/protocols/hermes", or a `registry` (`protocols` of "@toolingua/core/protocols").'
      : didYouMean(
          given,
          names,
          names.length > 20 ? "`protocolForModel` has that of a model; `protocols` all." : undefined,
        );
  throw new ProtocolError("unknown-protocol", `There is no protocol "${given}". ${right}`);
}

const isProtocol = (given: unknown): given is Protocol =>
  isObject(given) && isObject(given.syntax) && typeof given.renderCalls === "function";
