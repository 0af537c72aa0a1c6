// Evaluates a reply: the parser finds the calls, and Ajv, which is independent of the grammars, judges them.
import { parseReply } from "@toolingua/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const validators = new WeakMap();

function validator(tool) {
  let validate = validators.get(tool);
  if (!validate) {
    validate = ajv.compile(tool.parameters);
    validators.set(tool, validate);
  }
  return validate;
}

/** The calls in a reply; `wrong`: why it is not one or more valid calls. */
export function check(text, { tools, protocol, finish }) {
  const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol, finish });
  const calls = toolCalls.map(({ name, arguments: args }) => ({ name, args }));
  const [invalid] = invalidToolCalls;
  if (invalid) return { calls, wrong: `${invalid.error.code}: ${invalid.error.message}` };
  if (calls.length === 0) return { calls, wrong: "no call" };
  for (const { name, args } of calls) {
    const validate = validator(tools.find((tool) => tool.name === name));
    if (!validate(args)) return { calls, wrong: ajv.errorsText(validate.errors) };
  }
  return { calls };
}
