import { markersIn } from "../../syntax/markers.js";
import { children, jsonCall, name, toolName } from "../../syntax/parts.js";
import { closedBy, isToken, tagNameOf } from "../../syntax/spelling.js";
import {
  type Body,
  type Form,
  isBodyOf,
  isSlot,
  type JsonCallBody,
  type KeyedCallBody,
  type Part,
  type Slot,
} from "../../syntax/syntax.js";
import type { OwnedForm } from "../../syntax/tokens.js";
import type { BodyKinds } from "../readers/body-kind.js";

// Models write a call in the notation that they know between the markers of another format.

/**
 * The forms that are read besides one between its markers. `any`: also those in which another format may write its tags.
 */
export const otherForms = (form: OwnedForm, kinds: BodyKinds, any: boolean): OwnedForm[] =>
  (form.at ?? "anywhere") === "anywhere"
    ? [
        ...jsonForms(form, kinds),
        ...callForms(form, kinds),
        ...pythonCalls(form, kinds),
        ...(any ? attributeNamed(form, kinds) : []),
        ...childNamed(form),
      ]
    : [];

/**
 * Besides markup for each argument: JSON in place of all arguments. Besides that and Python: whole JSON calls between the
 * markers around the calls.
 *
 * @example
 * // <minimax:tool_call><invoke name="add">{"a": 2}</invoke></minimax:tool_call>
 * // <minimax:tool_call>{"name": "add", "arguments": {"a": 2}}</minimax:tool_call>
 */
function jsonForms(form: OwnedForm, kinds: BodyKinds): OwnedForm[] {
  const at = form.call.findIndex((part) => isBodyOf(part, "elements"));
  if (at < 0 && !form.call.some((part) => isBodyOf(part, "python-arguments"))) return [];
  const { own = false, block } = form;
  const around = block && markersIn(block.open).length > 0 ? { block, call: [jsonCall] } : aroundOne(form);
  return [
    ...(at >= 0 && kinds.has("json") ? [{ ...form, call: form.call.with(at, { body: "json" }) }] : []),
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

/**
 * Besides one JSON object between two markers: the name before the arguments, a call in Python, and between tags one in YAML,
 * which ends with a tag.
 *
 * @example
 * // <tool_call>add
 * // {"a": 2}</tool_call>
 * // <tool_call>add(a=2)</tool_call>
 * // <tool_call>[add(a=2), now()]</tool_call>
 * // <tool_call>
 * // name: add
 * // arguments:
 * //   a: 2
 * // </tool_call>
 */
function callForms({ call, block, ...form }: OwnedForm, kinds: BodyKinds): OwnedForm[] {
  // A call without markers of its own is between the tags of its block.
  const isInBlock = call.length === 1 && block && tagNameOf(block.open) !== undefined;
  const [open, body, ...close] = isInBlock ? [block.open, ...call, block.close] : call;
  if (typeof open !== "string" || !isToken(open.trim()) || !isNamed(body)) return [];
  const calls: Form[] = [];
  if (kinds.has("json")) calls.push({ call: [open, name, { body: "json" }, ...close] });
  if (kinds.has("python-arguments")) {
    const list = { open: `${open} [`, separator: ", ", close: ["]", ...close].join("") };
    calls.push({ call: [open, name, { body: "python-arguments" }, ...close] });
    calls.push({ block: list, call: [name, { body: "python-arguments" }] });
  }
  if (kinds.has("yaml") && body.body === "json-call" && closedBy(String(close[0]).trim()) !== undefined) {
    const [named, given] = [`${open}\n${body.name}: `, `\n${body.arguments}:`];
    calls.push({ call: [named, name, given, { body: "yaml" }, ...close] });
  }
  return calls.map((each) => ({ ...form, ...each }));
}

/** Whether a part is a call in JSON with its name. */
const isNamed = (part: Part | undefined): part is JsonCallBody | KeyedCallBody =>
  isBodyOf(part, "json-call") || isBodyOf(part, "keyed-call");

/**
 * Besides JSON calls after a token: Python calls. Without brackets each name must be a tool's, because code or a sentence may
 * follow the token.
 *
 * @example
 * // [TOOL_CALLS][add(a=2), now()]
 * // <|python_tag|>add(a=2)
 */
function pythonCalls({ call, block, ...form }: OwnedForm, kinds: BodyKinds): OwnedForm[] {
  const isMarked = block !== undefined && (isToken(block.open) || /^[[<].+\[$/.test(block.open));
  if (!isMarked || !isNamed(call[0]) || !kinds.has("python-arguments")) return [];
  const { open, close } = block;
  const withName = (slot: Slot, opening = "", closing = ""): OwnedForm => ({
    ...form,
    block: { open: open + opening, separator: ", ", close: closing + close },
    call: [slot, { body: "python-arguments" }],
  });
  if (open.endsWith("[")) return [withName(name)];
  // The space makes the bracket a token of its own, so that the marker stays that of JSON.
  return [withName(toolName), withName(name, " [", "]")];
}

/**
 * Besides one JSON object between two tags: the name in the first tag, before JSON or elements.
 *
 * @example
 * // <tool_call name="add">{"a": 2}</tool_call>
 * // <tool_call name="add"><a>2</a></tool_call>
 */
function attributeNamed({ call, block, ...form }: OwnedForm, kinds: BodyKinds): OwnedForm[] {
  const [open, body, ...close] = call;
  const tag = typeof open === "string" && !block ? tagNameOf(open.trim()) : undefined;
  if (tag === undefined || !isBodyOf(body, "json-call")) return [];
  const bodies: Body[] = [{ body: "json" }, children];
  return bodies
    .filter((each) => kinds.has(each.body))
    .map((each) => ({ ...form, call: [`<${tag} name="`, name, '">', each, ...close] }));
}

/** The elements in which models write the tool's name. */
const NAME_ELEMENTS = ["name", "tool_name"];

/**
 * Between two markers, with each argument in markup: the tool's name in an element of its own.
 *
 * @example
 * // <minimax:tool_call><invoke><name>add</name><parameter name="a">2</parameter></invoke></minimax:tool_call>
 */
function childNamed({ call, block, ...form }: OwnedForm): OwnedForm[] {
  const at = call.findIndex((part) => isSlot(part) && part.slot === "name");
  const [before, after, ...rest] = [call[at - 1], call[at + 1], ...call.slice(at + 2)];
  const hasElements = rest.some((part) => isBodyOf(part, "elements"));
  if (at !== 1 || typeof before !== "string" || typeof after !== "string" || !hasElements) return [];
  const [, around, tag] = /^(.*?)<([^\s<>="]+)(?:>|=|\s+name=")$/s.exec(before) ?? [];
  const outer = (block?.open ?? "") + around;
  if (tag === undefined || !isToken(outer.trim() || `<${tag}>`)) return [];
  // Models also write the name in the namespace of the markers around it.
  return ["", ...(/[\w-]+:/.exec(outer + tag) ?? [])].flatMap((prefix) =>
    NAME_ELEMENTS.map((element) => ({
      ...form,
      call: [
        `${outer}<${tag}>`,
        `<${prefix}${element}>`,
        name,
        `</${prefix}${element}>`,
        ...rest,
        ...(block ? [block.close] : []),
      ],
    })),
  );
}
