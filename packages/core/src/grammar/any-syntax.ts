import { isObject } from "../common/plain-object.js";
import { getProtocol, type ProtocolName } from "../protocols/index.js";
import type { Syntax } from "../syntax/syntax.js";

/** A wire format: a protocol, the name of one, or any object with a syntax. */
export type AnySyntax = ProtocolName | { name?: string; syntax: Syntax };

/** Looks up a protocol by name; returns an object with a syntax as it is. Errors: `ProtocolError` `unknown-protocol`. */
export const withSyntax = (protocol: AnySyntax): { name?: string; syntax: Syntax } =>
  typeof protocol === "string" || !isObject(protocol.syntax) ? getProtocol(protocol as ProtocolName) : protocol;
