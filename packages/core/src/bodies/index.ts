// What writes and reads arguments, one export for each way to write them. Importing one brings no other.
export type { BodyKind } from "../reply/body-kind.js";
export { actionBody } from "./action.js";
export { attributesBody } from "./attributes.js";
export { elementsBody } from "./elements.js";
export { everyBody } from "./every-body.js";
export { inputBody } from "./input.js";
export { jsonBody } from "./json.js";
export { jsonCallBody } from "./json-call.js";
export { keyedCallBody } from "./keyed-call.js";
export { pythonArgumentsBody } from "./python-arguments.js";
export { yamlBody } from "./yaml.js";
