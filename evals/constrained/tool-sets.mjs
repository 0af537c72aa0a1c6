// Twenty sets of tools, which together use all of JSON Schema that a grammar can enforce.

const text = { type: "string" };
const flag = { type: "boolean" };
const between = (minimum, maximum) => ({ type: "integer", minimum, maximum });
const oneOf = (...values) => ({ enum: values });
const listOf = (items, minItems = 0, maxItems = 3) => ({ type: "array", items, minItems, maxItems });
const object = (properties, ...required) => ({ type: "object", properties, required, additionalProperties: false });
const tool = (name, properties, ...required) => ({ name, parameters: object(properties, ...required) });
const formatted = (format) => ({ type: "string", format });

export const toolSets = [
  [
    tool("get_weather", { city: text, unit: oneOf("celsius", "fahrenheit") }, "city"),
    tool("get_time", { zone: text }, "zone"),
  ],
  [
    tool(
      "search_flights",
      {
        from: { type: "string", pattern: "^[A-Z]{3}$" },
        to: { type: "string", pattern: "^[A-Z]{3}$" },
        day: formatted("date"),
        seats: between(1, 9),
      },
      "from",
      "to",
      "day",
    ),
    tool("cancel_booking", { booking: formatted("uuid") }, "booking"),
  ],
  [
    tool(
      "send_email",
      { to: listOf(formatted("email"), 1, 2), subject: { type: "string", maxLength: 12 }, body: text, urgent: flag },
      "to",
      "subject",
    ),
    tool("list_inbox", { unread_only: flag, limit: between(1, 50) }),
  ],
  [
    tool("add", { a: { type: "number" }, b: { type: "number" } }, "a", "b"),
    tool("round", { value: { type: "number", minimum: -5, maximum: 5 }, places: between(0, 6) }, "value"),
  ],
  [
    tool(
      "set_thermostat",
      { degrees: { type: "number", exclusiveMinimum: 4, maximum: 30 }, room: oneOf("kitchen", "hall", "bath") },
      "degrees",
    ),
    tool("lights", { on: flag, brightness: between(0, 100), rooms: listOf(text) }, "on"),
  ],
  [tool("now", {}), tool("ping", { host: formatted("hostname"), count: between(1, 4) }, "host")],
  [
    tool(
      "create_event",
      {
        title: { type: "string", minLength: 1, maxLength: 10 },
        start: formatted("date-time"),
        minutes: { type: "integer", multipleOf: 15, minimum: 15, maximum: 240 },
        guests: listOf(text),
      },
      "title",
      "start",
    ),
    tool("delete_event", { id: between(1, 99999) }, "id"),
  ],
  [
    tool(
      "query_table",
      { table: oneOf("users", "orders"), columns: listOf(text, 1, 3), limit: { type: ["integer", "null"] } },
      "table",
      "columns",
    ),
  ],
  [
    tool(
      "run_code",
      { language: oneOf("python", "js"), source: text, timeout: { type: "number", minimum: 0 } },
      "language",
      "source",
    ),
    tool("read_file", { path: text, lines: listOf(between(1, 999), 0, 2) }, "path"),
  ],
  [
    tool(
      "place_order",
      {
        items: listOf(
          object({ sku: { type: "string", pattern: "^[A-Z]-\\d{2,4}$" }, quantity: between(1, 20) }, "sku", "quantity"),
          1,
          2,
        ),
        express: flag,
      },
      "items",
    ),
  ],
  [
    tool(
      "translate",
      { text, to: { type: "string", minLength: 2, maxLength: 2 }, formal: { type: ["boolean", "null"] } },
      "text",
      "to",
    ),
    tool("detect_language", { text }, "text"),
  ],
  [
    tool(
      "convert",
      {
        amount: { type: "number", minimum: 0, maximum: 1000 },
        from: oneOf("EUR", "USD", "JPY"),
        to: oneOf("EUR", "USD", "JPY"),
      },
      "amount",
      "from",
      "to",
    ),
  ],
  [
    tool(
      "move_to",
      {
        point: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false, minItems: 2 },
        speed: { anyOf: [{ type: "number" }, oneOf("slow", "fast")] },
      },
      "point",
    ),
    tool("stop", {}),
  ],
  [
    tool(
      "tag_photo",
      { photo: between(0, 9999), tags: { type: "object", additionalProperties: between(0, 1), maxProperties: 2 } },
      "photo",
      "tags",
    ),
  ],
  [tool("fetch_page", { url: formatted("uri"), method: { const: "GET" }, depth: between(0, 3) }, "url")],
  [
    tool(
      "play_music",
      { artist: text, volume: between(0, 11), shuffle: flag, playlist: { type: ["string", "null"] } },
      "artist",
    ),
    tool("pause_music", {}),
  ],
  [
    {
      name: "make_folder",
      parameters: {
        ...object({ name: text, inside: { $ref: "#/$defs/folder" } }, "name"),
        $defs: { folder: object({ name: text, hidden: flag }, "name") },
      },
    },
  ],
  [
    tool(
      "route-plan",
      { stops: listOf(oneOf("Zürich HB", "東京", 'the "Hub"', "a<b>&c"), 1, 3), avoid_tolls: flag },
      "stops",
    ),
    tool("share.location", { minutes: between(5, 480) }, "minutes"),
  ],
  [
    tool("scan_ports", { address: formatted("ipv4"), ports: listOf(between(1, 65535), 1, 2) }, "address"),
    tool("wake", { delay: formatted("duration") }, "delay"),
  ],
  [
    tool(
      "file_report",
      {
        severity: between(-2, 2),
        ratio: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
        notes: listOf(text, 0, 2),
        extra: oneOf(null, true, 0, "none"),
      },
      "severity",
      "ratio",
    ),
    { name: "anything", parameters: { type: "object" } },
  ],
];
