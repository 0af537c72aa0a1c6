import { expect, test } from "vitest";
import {
  ARGUMENT_KEYS,
  ASIDE_KEYS,
  CALL_KEYS,
  LEAD_KEYS,
  LIST_KEYS,
  NAME_KEYS,
  RESULT_KEYS,
  WRAPPER_KEYS,
} from "./call-keys.js";

const keys = {
  NAME_KEYS,
  ARGUMENT_KEYS,
  WRAPPER_KEYS,
  LIST_KEYS,
  ASIDE_KEYS,
  LEAD_KEYS,
  RESULT_KEYS,
  CALL_KEYS,
};

const kinds = Object.keys(keys) as (keyof typeof keys)[];
const kindsOf = (key: string) => kinds.filter((kind) => keys[kind].has(key));

test.each<[string, (keyof typeof keys)[]]>([
  ["name", ["NAME_KEYS", "CALL_KEYS"]],
  ["toolName", ["NAME_KEYS", "CALL_KEYS"]],
  ["recipient_name", ["NAME_KEYS", "CALL_KEYS"]],
  ["arguments", ["ARGUMENT_KEYS", "CALL_KEYS"]],
  ["tool_input", ["ARGUMENT_KEYS", "CALL_KEYS"]],
  ["functionParams", ["ARGUMENT_KEYS", "CALL_KEYS"]],
  ["Action Input", ["ARGUMENT_KEYS", "CALL_KEYS"]],
  ["function", ["NAME_KEYS", "WRAPPER_KEYS", "CALL_KEYS"]],
  ["tool_use", ["WRAPPER_KEYS", "CALL_KEYS"]],
  ["tool_calls", ["LIST_KEYS", "CALL_KEYS"]],
  ["Call-ID", ["ASIDE_KEYS", "LEAD_KEYS"]],
  ["thought", ["ASIDE_KEYS", "LEAD_KEYS"]],
  ["Reasoning", ["LEAD_KEYS"]],
  ["tool_result", ["RESULT_KEYS"]],
  ["ERROR", ["RESULT_KEYS"]],
  ["city", []],
  ["names", []],
  ["", []],
])("the key %j in any spelling: %j", (key, wanted) => expect(kindsOf(key).sort()).toEqual([...wanted].sort()));
