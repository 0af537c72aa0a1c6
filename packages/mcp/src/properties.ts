/**
 * The schema with a schema that is `true` or `false` for one of its properties written as an object. MCP takes no other there
 * (https://modelcontextprotocol.io/specification/2025-11-25/schema#tool), and the SDK's client refuses a whole list for one;
 * JSON Schema has both, and they mean the same. Deeper ones MCP leaves alone.
 */
export function withObjectProperties<T>(schema: T): T {
  const { properties } = (schema ?? {}) as { properties?: unknown };
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return schema;
  const written = Object.entries(properties).map(([name, value]) => [
    name,
    typeof value !== "boolean" ? value : value ? {} : { not: {} },
  ]);
  return { ...schema, properties: Object.fromEntries(written) };
}
