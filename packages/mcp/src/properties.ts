/**
 * Writes the schemas `true` and `false` of properties as equivalent objects. MCP requires objects there
 * (https://modelcontextprotocol.io/specification/2025-11-25/schema#tool), and the SDK's client rejects a whole list for
 * one boolean. Deeper schemas may be booleans.
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
