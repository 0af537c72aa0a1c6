import { isObject } from "@toolingua/core/adapters";
import type { OpenApiDocument } from "./document.js";
import { OpenApiDocumentError } from "./errors.js";
import { TEMPLATE_EXPRESSIONS } from "./notation.js";

/**
 * The first server of the innermost list, with the defaults of its variables, or their only values. Errors:
 * `OpenApiDocumentError` (`no-server`, `refused-server`).
 */
export function serverOf(document: OpenApiDocument, lists: unknown[]): string {
  const list = lists.find((one) => Array.isArray(one) && one.length > 0) as unknown[] | undefined;
  const given = list?.[0];
  const { url = "/", variables } = isObject(given) ? given : {};
  const filled = String(url).replace(TEMPLATE_EXPRESSIONS, (whole, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined;
    const { default: value, enum: values } = isObject(variable) ? variable : {};
    const only: unknown = Array.isArray(values) && values.length === 1 ? values[0] : undefined;
    return String(value ?? only ?? whole);
  });
  const base = document.file.startsWith("http") ? document.file : undefined;
  const server = !/[{}]/.test(filled) && URL.canParse(filled, base) ? new URL(filled, base) : undefined;
  if (server && /^https?:$/.test(server.protocol)) {
    if (server.username + server.password !== "") {
      const message = `The URL of the server ${server.host} contains a user name or a password: set \`baseURL\` without them, and \`credentials\`.`;
      throw new OpenApiDocumentError("refused-server", message);
    }
    if (document.mayServe(server)) return server.href;
    const message = `The document comes from the web but its server is in a private network, ${server.origin}: add it to \`allow\`, or set \`baseURL\`.`;
    throw new OpenApiDocumentError("refused-server", message);
  }
  throw new OpenApiDocumentError(
    "no-server",
    `The document does not contain the URL of the API (${filled}): set \`baseURL\`.`,
  );
}
