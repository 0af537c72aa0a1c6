import { oncePer } from "@toolingua/core/adapters";

/** Identifies this process: a store may be shared with others. */
const processId = crypto.randomUUID();
let count = 0;

/** A text that is unique to an object, across all processes. */
export const markOf = oncePer((_owner: object) => `${processId}:${count++}`);
