import type { ActionBody } from "../../src/syntax/syntax.js";

/** The body of a message that is one object, with the keys of `json-action`. */
export const actionBody: ActionBody = {
  body: "action",
  thought: "thought",
  action: "action",
  name: "tool",
  arguments: "args",
  final: "final",
  content: "content",
};
