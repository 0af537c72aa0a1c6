// Tools as other libraries make them: an object with a Standard Schema or JSON Schema, and a function under their own names.
const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };

export const double = { description: "AI SDK", inputSchema: { jsonSchema: schema }, execute: ({ a }) => 2 * a };

export const halve = {
  name: "halve",
  description: "LangChain",
  schema,
  invoke({ a }) {
    return a / this.by;
  },
  by: 2,
};
