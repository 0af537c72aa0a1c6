import { didYouMean, isObject } from "@toolingua/core/adapters";
import { McpServerError } from "./errors.js";
import type { McpServerConfig } from "./transport.js";

/** Servers by name, as `connectMcp` takes them; or a client's configuration object that contains them. */
export type McpServers =
  | Readonly<Record<string, McpServerConfig>>
  | { readonly mcpServers: Readonly<Record<string, McpServerConfig>> }
  | { readonly servers: Readonly<Record<string, McpServerConfig>> };

/** The fields of each kind of server. */
const FIELDS = {
  stdio: ["command", "args", "env", "cwd"],
  http: ["url", "headers", "authProvider", "authorizationCode", "fetch"],
  custom: ["transport"],
};
/** The fields of which a server has one. */
const WAYS = ["command", "url", "transport"];
const COMMON = ["type", "optional", "disabled", "disabledTools"];
/** Fields that other clients store with a server, and that do not concern the connection. */
const OTHER_CLIENTS = ["description", "name", "icon", "autoApprove", "alwaysAllow", "gallery", "version"];
const TYPES = ["stdio", "http", "streamable-http", "streamableHttp", "sse"];

/** The servers, without disabled ones. Errors: `McpServerError` (`bad-config`). */
export function serversOf(given: McpServers): Record<string, McpServerConfig> {
  const named = wrapped(given) ?? given;
  if (!isObject(named)) {
    const message = "Servers must be an object by name, such as { files: { command } }, or { mcpServers: { … } }.";
    throw new McpServerError("bad-config", "", message);
  }
  const single = WAYS.find((field) => isPrimitive((named as Record<string, unknown>)[field]));
  if (single !== undefined) {
    const message = `Servers are given by name: { name: { ${single} } }, and not a single one.`;
    throw new McpServerError("bad-config", "", message);
  }
  return Object.fromEntries(
    Object.entries(named as Record<string, McpServerConfig>).filter(([name, config]) => {
      const why = whyUnusable(config);
      if (why === undefined) return config.disabled !== true;
      const end = /[.?]$/.test(why) ? "" : ".";
      const message = `The MCP server "${name}" has a wrong configuration: ${why}${end}`;
      throw new McpServerError("bad-config", name, message);
    }),
  );
}

/** The contents of `mcpServers`, or of VS Code's `servers`, unless a server has that name. */
function wrapped(given: unknown): unknown {
  if (!isObject(given)) return undefined;
  for (const key of ["mcpServers", "servers"]) {
    const inner = given[key];
    if (isObject(inner) && !WAYS.some((field) => isPrimitive(inner[field]))) return inner;
  }
  return undefined;
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string");

const isPrimitive = (value: unknown) => value !== undefined && !isObject(value);

const isText = (value: unknown) => value === undefined || typeof value === "string";
const isFlag = (value: unknown) => value === undefined || typeof value === "boolean";
const isFunction = (value: unknown) => value === undefined || typeof value === "function";

/** The problem of an HTTP server's configuration. Its values are not in the message, for they may be secret. */
function whyUnusableHttp({ url, headers, authProvider, authorizationCode, fetch }: Record<string, unknown>) {
  if (!((url instanceof URL || typeof url === "string") && URL.canParse(String(url))))
    return 'its `url` is not a URL, such as "http://localhost:3000/mcp"';
  const { protocol, username, password } = new URL(String(url));
  if (!/^https?:$/.test(protocol)) return `its \`url\` begins with ${protocol}, not with http: or https:`;
  if (username + password !== "") {
    return "its `url` contains a user name or a password, which `fetch` refuses: set `headers.Authorization`";
  }
  if (headers !== undefined && !isObject(headers)) return "its `headers` are not an object";
  const header = Object.entries(headers ?? {}).find(([name, value]) => !isHeader(name, value));
  if (header) return `its header ${JSON.stringify(header[0])} is not a text that HTTP can carry`;
  if (!isFunction(fetch)) return "its `fetch` is not a function";
  if (!isFunction(authorizationCode)) return "its `authorizationCode` is not a function";
  const isProvider = authProvider === undefined || (typeof authProvider === "object" && authProvider !== null);
  return isProvider ? undefined : "its `authProvider` is not an object";
}

function isHeader(name: string, value: unknown): boolean {
  try {
    return typeof value === "string" && new Headers([[name, value]]) !== undefined;
  } catch {
    return false;
  }
}

/** The problem of a configuration, which may come from a hand-written file; undefined if there is none. */
function whyUnusable(config: unknown): string | undefined {
  if (!isObject(config)) return "it is not an object";
  const { transport, url, command, args, env, cwd, type, disabledTools } = config;
  const kind = transport !== undefined ? "custom" : url !== undefined ? "http" : "stdio";
  const unknown = unknownField(config, kind);
  if (unknown !== undefined) return unknown;
  if (type !== undefined && !TYPES.includes(type as string)) {
    return `its \`type\` is ${TYPES.map((one) => JSON.stringify(one)).join(", ")}, not ${JSON.stringify(type)}`;
  }
  if (!isFlag(config.disabled)) return "its `disabled` is neither true nor false";
  if (!isFlag(config.optional)) return "its `optional` is neither true nor false";
  if (disabledTools !== undefined && !isTexts(disabledTools)) return "its `disabledTools` are not a list of texts";
  if (transport !== undefined) return typeof transport === "function" ? undefined : "its `transport` is not a function";
  if (url !== undefined) return whyUnusableHttp(config);
  if (command === undefined) {
    const has = Object.keys(config).map((key) => `\`${key}\``);
    return `it needs a \`command\`, a \`url\` or a \`transport\`, and has ${has.join(", ") || "nothing"}`;
  }
  if (typeof command !== "string" || command === "") return "its `command` is not a text, or is empty";
  if (args !== undefined && !isTexts(args)) return "its `args` are not a list of texts";
  if (!isText(cwd)) return "its `cwd` is not a text";
  if (env !== undefined && !isObject(env)) return "its `env` is not an object";
  const variable = Object.entries(env ?? {}).find(([, value]) => !isText(value));
  return variable && `its \`env.${variable[0]}\` is not a text`;
}

function unknownField(config: Record<string, unknown>, kind: keyof typeof FIELDS): string | undefined {
  const known = [...FIELDS[kind], ...COMMON];
  const unknown = Object.keys(config).find((field) => !known.includes(field) && !OTHER_CLIENTS.includes(field));
  if (unknown === undefined) return undefined;
  if (unknown === "timeout") return "`timeout`, in milliseconds, is an option of connectMcp";
  const elsewhere = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).find((one) => FIELDS[one].includes(unknown));
  // If the way to reach the server is missing, that message is more useful.
  if (elsewhere === undefined && !FIELDS[kind].some((field) => field in config)) {
    const hint = didYouMean(unknown, [...FIELDS.stdio, ...FIELDS.http]);
    return `it needs a \`command\`, a \`url\` or a \`transport\`, and has \`${unknown}\`. ${hint}`;
  }
  if (elsewhere !== undefined) return `\`${unknown}\` is not for a server with \`${FIELDS[kind][0]}\``;
  return `there is no \`${unknown}\`. ${didYouMean(unknown, known)}`;
}
