import { expect, test } from "vitest";
import { Lookahead } from "../../notation/lookahead.js";
import { bareRoleAt } from "./bare-role.js";

test.each<[string, boolean, string | undefined]>([
  ["assistant\n\nIt is noon.", false, "assistant"],
  ["user\r\n", false, "user"],
  ["tool", true, "tool"],
  ["tool", false, "more"],
  ["assist", false, "more"],
  ["assist", true, undefined],
  ["assistants\n", false, undefined],
  ["user: hello", false, undefined],
  ["User: hello", false, "User:"],
  ["**Hum", false, "more"],
  ["system\n", false, undefined],
  ["environment\n", false, undefined],
  ["The user\n", false, undefined],
])("a role is alone on its line: %j", (text, final, wanted) => {
  const look = new Lookahead({ text: `}${text}`, final });
  const role = bareRoleAt(look, 1);
  expect(look.hitEnd ? "more" : role).toBe(wanted);
});
