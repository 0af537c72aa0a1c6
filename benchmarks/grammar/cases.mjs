// Ten tools as agents have them: enums, formats, patterns, bounds, lists of objects, references, free objects.

const s = (more = {}) => ({ type: "string", description: "What the model is told of this argument.", ...more });
const n = (type, more = {}) => ({ type, description: "What the model is told of this argument.", ...more });
const obj = (properties, required, more = {}) => ({ type: "object", properties, required, ...more });

export const tools = [
  {
    name: "get_weather",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        city: s(),
        unit: { type: "string", enum: ["celsius", "fahrenheit"] },
        days: n("integer", { minimum: 1, maximum: 14 }),
      },
      ["city"],
    ),
  },
  {
    name: "search_flights",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        origin: s({ pattern: "^[A-Z]{3}$" }),
        destination: s({ pattern: "^[A-Z]{3}$" }),
        departure: s({ format: "date" }),
        return_date: s({ format: "date" }),
        passengers: n("integer", { minimum: 1, maximum: 9 }),
        cabin: { enum: ["economy", "premium", "business", "first"] },
        max_price: n("number", { minimum: 0 }),
      },
      ["origin", "destination", "departure"],
    ),
  },
  {
    name: "send_email",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        to: { type: "array", items: s({ format: "email" }), minItems: 1, maxItems: 20 },
        cc: { type: "array", items: s({ format: "email" }) },
        subject: s({ maxLength: 120 }),
        body: s(),
        attachments: { type: "array", items: obj({ filename: s(), url: s({ format: "uri" }) }, ["filename", "url"]) },
      },
      ["to", "subject", "body"],
    ),
  },
  {
    name: "create_event",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        title: s(),
        start: s({ format: "date-time" }),
        end: s({ format: "date-time" }),
        attendees: { type: "array", items: s() },
        location: s(),
        recurrence: {
          anyOf: [
            { type: "null" },
            obj({ frequency: { enum: ["daily", "weekly", "monthly"] }, count: n("integer", { minimum: 1 }) }, [
              "frequency",
            ]),
          ],
        },
      },
      ["title", "start", "end"],
    ),
  },
  {
    name: "query_database",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        sql: s(),
        database: { type: "string", enum: ["users", "orders", "products"] },
        limit: n("integer", { minimum: 1, maximum: 1000 }),
        timeout: n("number", { exclusiveMinimum: 0, maximum: 60 }),
      },
      ["sql", "database"],
    ),
  },
  {
    name: "create_ticket",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        title: s({ minLength: 3, maxLength: 200 }),
        description: s(),
        priority: { enum: ["low", "medium", "high", "urgent"] },
        labels: { type: "array", items: s(), uniqueItems: true },
        assignee: { type: ["string", "null"] },
        estimate: n("number", { minimum: 0 }),
      },
      ["title", "priority"],
    ),
  },
  {
    name: "read_file",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      { path: s(), start_line: n("integer", { minimum: 1 }), end_line: n("integer", { minimum: 1 }) },
      ["path"],
      { additionalProperties: false },
    ),
  },
  {
    name: "edit_file",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        path: s(),
        edits: {
          type: "array",
          minItems: 1,
          items: obj({ old_text: s(), new_text: s(), replace_all: { type: "boolean" } }, ["old_text", "new_text"], {
            additionalProperties: false,
          }),
        },
      },
      ["path", "edits"],
      { additionalProperties: false },
    ),
  },
  {
    name: "http_request",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        method: { enum: ["GET", "POST", "PUT", "DELETE"] },
        url: s({ format: "uri" }),
        headers: { type: "object", additionalProperties: { type: "string" } },
        body: {},
        timeout_ms: n("integer", { minimum: 1, maximum: 120000 }),
      },
      ["method", "url"],
    ),
  },
  {
    name: "place_order",
    description: "What the tool does, in a sentence or two.",
    parameters: obj(
      {
        customer_id: s({ format: "uuid" }),
        items: {
          type: "array",
          minItems: 1,
          items: obj({ sku: s(), quantity: n("integer", { minimum: 1, maximum: 99 }), note: s() }, ["sku", "quantity"]),
        },
        shipping: { $ref: "#/$defs/address" },
        billing: { $ref: "#/$defs/address" },
        gift: { type: "boolean" },
      },
      ["customer_id", "items", "shipping"],
      {
        $defs: {
          address: obj({ street: s(), city: s(), postcode: s(), country: s({ minLength: 2, maxLength: 2 }) }, [
            "street",
            "city",
            "country",
          ]),
        },
      },
    ),
  },
];

/** That many tools. */
export const manyTools = (count) =>
  Array.from({ length: count }, (_, i) => ({
    ...tools[i % 10],
    name: `${tools[i % 10].name}${i < 10 ? "" : `_${i}`}`,
  }));

/** One tool with that many arguments, none of which is required. */
export const wideTool = (count) => ({
  name: "update_settings",
  parameters: obj(Object.fromEntries(Array.from({ length: count }, (_, i) => [`setting_${i}`, s()])), []),
});

/** The same by value: nothing of it was seen before. */
export const copy = (value) => JSON.parse(JSON.stringify(value));

/** The tools' calls as one schema, for converters that know schemas only. */
export const callSchema = (list, keyword) => ({
  [keyword]: list.map(({ name, parameters: { $defs, ...parameters } }) => ({
    type: "object",
    properties: { name: { const: name }, arguments: parameters },
    required: ["name", "arguments"],
    additionalProperties: false,
  })),
  $defs: Object.assign({}, ...list.map(({ parameters }) => parameters.$defs)),
});
