import { markersIn } from "../../syntax/markers.js";
import { type Form, isBodyOf, isSlot, type JsonCallBody } from "../../syntax/syntax.js";
import type { OwnedForm } from "../../syntax/tokens.js";
import type { BodyKinds } from "../readers/body-kind.js";

// Models that know JSON calls write JSON between the markers of another format.

const jsonCall: JsonCallBody = { body: "json-call", name: "name", arguments: "arguments" };

/**
 * The forms that are read besides one with markup for each argument: JSON in place of all arguments, and whole JSON calls
 * between the markers around the calls.
 *
 * @example
 * // <minimax:tool_call><invoke name="add">{"a": 2}</invoke></minimax:tool_call>
 * // <minimax:tool_call>{"name": "add", "arguments": {"a": 2}}</minimax:tool_call>
 */
export function jsonForms(form: OwnedForm, kinds: BodyKinds): OwnedForm[] {
  const at = form.call.findIndex((part) => isBodyOf(part, "elements"));
  if (at < 0 || (form.at ?? "anywhere") !== "anywhere") return [];
  const { own = false, block } = form;
  const around = block && markersIn(block.open).length > 0 ? { block, call: [jsonCall] } : aroundOne(form);
  return [
    ...(kinds.has("json") ? [{ ...form, call: form.call.with(at, { body: "json" }) }] : []),
    ...(around && kinds.has("json-call") ? [{ ...around, own }] : []),
  ];
}

/** A JSON call between the markers outside the ones with the name of a call. */
function aroundOne({ call }: Form): Form | undefined {
  const [first, second] = call;
  const last = call.at(-1);
  if (typeof first !== "string" || !isSlot(second) || typeof last !== "string") return undefined;
  const [open, ...rest] = markersIn(first);
  const close = markersIn(last).at(-1);
  if (open === undefined || close === undefined || rest.length === 0) return undefined;
  return { call: [open, jsonCall, close] };
}
