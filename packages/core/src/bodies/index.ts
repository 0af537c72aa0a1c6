// The kinds of bodies: each renders and reads arguments. A bundle that imports one contains no other.
import type { BodyKind } from "../reply/readers/body-kind.js";
import type { Body } from "../syntax/syntax.js";
import { actionBody } from "./action.js";
import { attributesBody } from "./attributes.js";
import { elementsBody } from "./elements.js";
import { inputBody } from "./input.js";
import { jsonBody } from "./json.js";
import { jsonCallBody } from "./json-call.js";
import { keyedCallBody } from "./keyed-call.js";
import { markedElementsBody } from "./marked-elements.js";
import { pythonArgumentsBody } from "./python-arguments.js";
import { yamlBody } from "./yaml.js";

export type { BodyKind };
export {
  actionBody,
  attributesBody,
  elementsBody,
  inputBody,
  jsonBody,
  jsonCallBody,
  keyedCallBody,
  markedElementsBody,
  pythonArgumentsBody,
  yamlBody,
};

const byName: { [Kind in Body["body"]]: BodyKind<Extract<Body, { body: Kind }>> } = {
  json: jsonBody,
  "json-call": jsonCallBody,
  "keyed-call": keyedCallBody,
  elements: elementsBody,
  "marked-elements": markedElementsBody,
  "python-arguments": pythonArgumentsBody,
  attributes: attributesBody,
  input: inputBody,
  action: actionBody,
  yaml: yamlBody,
};

/** Every kind of body. A new one is a new file and a line here. */
export const everyBody: readonly BodyKind[] = /* @__PURE__ */ Object.values<BodyKind>(byName);
