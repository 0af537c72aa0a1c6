// The test cases: replies with one call, in wire formats that a peer reads as well.

export const tools = [
  {
    name: "book_flight",
    description: "Books a flight",
    parameters: {
      type: "object",
      properties: {
        from: { type: "string", description: "Airport of departure" },
        to: { type: "string", description: "Airport of arrival" },
        passengers: { type: "integer", minimum: 1 },
        cabin: { type: "string", enum: ["economy", "business", "first"] },
        flexible: { type: "boolean" },
      },
      required: ["from", "to", "passengers"],
    },
  },
  {
    name: "write_file",
    description: "Writes a text file",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
  },
  {
    name: "save_records",
    description: "Stores records",
    parameters: {
      type: "object",
      properties: {
        table: { type: "string" },
        records: {
          type: "array",
          items: {
            type: "object",
            properties: {
              id: { type: "integer" },
              name: { type: "string" },
              price: { type: "number" },
              tags: { type: "array", items: { type: "string" } },
              active: { type: "boolean" },
            },
            required: ["id", "name"],
          },
        },
      },
      required: ["table", "records"],
    },
  },
];

const fiveArguments = { from: "OSL", to: "San Francisco (SFO)", passengers: 2, cabin: "business", flexible: true };

/** A source file of about that many characters: quotation marks, backslashes and newlines as code has them. */
export function sourceFile(length) {
  const lines = [];
  for (let size = 0, i = 0; size < length; i++) {
    const line = [
      `export function handler${i}(request, response) {`,
      `  const name = request.query["name"] ?? "world ${i}";`,
      "  // A comment that explains why this is done here and not where the request is made.",
      `  response.send(\`Hello, \${name}!\\n\`, { status: 200, cache: "no-store" });`,
      "}",
      "",
    ][i % 6];
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join("\n").slice(0, length);
}

/** Records whose JSON has about that many characters. */
function records(length) {
  const list = [];
  for (let size = 0, i = 0; size < length; i++) {
    const record = {
      id: i,
      name: `Item number ${i}`,
      price: i * 1.25,
      tags: ["new", `shelf ${i % 7}`],
      active: i % 3 > 0,
    };
    list.push(record);
    size += JSON.stringify(record).length + 1;
  }
  return list;
}

/** JSON with a space after each comma and colon, as Python writes it and most models were trained on it. */
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${spaced(part)}`)
    .join(", ")}}`;
}

const json = (name, args) => spaced({ name, arguments: args });

const hermes = (name, args) => `<tool_call>\n${json(name, args)}\n</tool_call>`;

const element = (value) => (typeof value === "string" ? value : spaced(value));

const xml = (name, args) =>
  [
    `<tool_call>\n<function=${name}>`,
    ...Object.entries(args).map(([key, value]) => `<parameter=${key}>\n${element(value)}\n</parameter>`),
    "</function>\n</tool_call>",
  ].join("\n");

const file = { path: "src/server.js", content: sourceFile(50_000) };
const batch = { table: "items", records: records(50_000) };

/** An element named after the tool, one in it for each argument. */
const tags = (name, args) =>
  [`<${name}>`, ...Object.entries(args).map(([key, value]) => `<${key}>${element(value)}</${key}>`), `</${name}>`].join(
    "\n",
  );

const action = (name, args) => `Action:\n\`\`\`json\n${spaced({ action: name, action_input: args })}\n\`\`\``;

/** The wire formats: ours, the peer and its name for it, how a call is written. */
const formats = {
  JSON: { protocol: "hermes", peer: "aiSdk", peerProtocol: "hermes", write: hermes },
  XML: { protocol: "qwen3-coder", peer: "aiSdk", peerProtocol: "qwen3-coder", write: xml },
  tags: { protocol: "tool-tags", peer: "aiSdk", peerProtocol: "morph-xml", write: tags },
  action: { protocol: "react", peer: "langchain", write: action },
};

const payloads = [
  { title: "5 arguments", name: "book_flight", args: fiveArguments },
  { title: "50 KB in one string", name: "write_file", args: file },
  { title: "50 KB of records", name: "save_records", args: batch },
];

/** `payload`: the call's JSON, for comparison with `JSON.parse`. */
export const cases = Object.entries(formats).flatMap(([format, { write, ...protocols }]) =>
  payloads.map(({ title, name, args }) => ({
    title: `${format}, ${title}`,
    ...protocols,
    name,
    args,
    reply: write(name, args),
    ...(format === "JSON" ? { payload: json(name, args) } : {}),
  })),
);

/** A reply that writes a file of about that many characters, in a wire format. */
export function writeFile(protocol, length) {
  const args = { path: "src/server.js", content: sourceFile(length) };
  return Object.values(formats)
    .find((format) => format.protocol === protocol)
    .write("write_file", args);
}

export function chunked(text, size) {
  const chunks = [];
  for (let i = 0; i < text.length; i += size) chunks.push(text.slice(i, i + size));
  return chunks;
}
