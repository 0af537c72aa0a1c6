import type { Syntax } from "../protocol.js";
import { getProtocol, type ProtocolName } from "../protocols/index.js";

/** A wire format: a protocol or its name, or anything else with a syntax. */
export type AnySyntax = ProtocolName | { name?: string; syntax: Syntax };

/** A wire format by its name, or itself. Errors: `ProtocolError` `unknown-protocol`. */
export const withSyntax = (protocol: AnySyntax): { name?: string; syntax: Syntax } =>
  typeof protocol === "string" ? getProtocol(protocol) : protocol;
