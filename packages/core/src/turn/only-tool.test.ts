import { expect, test } from "vitest";
import type { ReplyEvent } from "../types.js";
import { onlyTool } from "./only-tool.js";

const invalid = (name?: string): ReplyEvent => ({
  type: "call-invalid",
  index: 3,
  call: { id: "1", raw: "{}", error: { code: "malformed", message: "", feedback: "" }, ...(name && { name }) },
});

test("a broken call without a name is an attempt at the tool that is asked for, one of another tool is dropped", () => {
  const read = onlyTool("add");
  expect(read(invalid())).toEqual([{ ...invalid(), index: 0 }]);
  expect(read(invalid("add"))).toEqual([{ ...invalid("add"), index: 0 }]);
  expect(read(invalid("now"))).toMatchObject([{ type: "dropped", text: "{}" }]);
});
