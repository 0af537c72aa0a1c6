import type { Given } from "./types.js";

/** A message to read, in any form that an API accepts or returns. */
export type GivenMessage = Given<{
  readonly role: string;
}>;

/** A part of a message, a call or a tool to read. */
export type GivenPart = Given<{
  readonly type: string;
}>;
