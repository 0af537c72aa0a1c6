export type ApiName = "chat" | "responses" | "messages";

/** The programs and libraries that a server is examined for, and the APIs that each can use. */
export const clients = {
  "claude-code": { title: "Claude Code", apis: ["messages"] },
  codex: { title: "Codex", apis: ["responses"] },
  "openai-sdk": { title: "OpenAI SDK", apis: ["chat", "responses"] },
  "anthropic-sdk": { title: "Anthropic SDK", apis: ["messages"] },
  "ai-sdk": { title: "AI SDK", apis: ["chat", "responses", "messages"] },
  langchain: { title: "LangChain", apis: ["chat", "responses", "messages"] },
  crewai: { title: "CrewAI", apis: ["chat", "responses"] },
  "openai-agents": { title: "@openai/agents", apis: ["chat", "responses"] },
} as const satisfies Record<string, { title: string; apis: readonly ApiName[] }>;

export type ClientName = keyof typeof clients;

export const clientNames = Object.keys(clients).filter((name): name is ClientName => Object.hasOwn(clients, name));

/** Whether a client can use an API. */
export const speaks = (client: ClientName, api: ApiName): boolean => clients[client].apis.some((one) => one === api);

/** How clients break, by client. */
export type Breaks = Partial<Record<ClientName, string>>;

/** The clients in `breaks` that can use an API. */
export const among = (api: ApiName, breaks: Breaks): Breaks =>
  Object.fromEntries(clientNames.flatMap((name) => (speaks(name, api) && breaks[name] ? [[name, breaks[name]]] : [])));

/** These clients, breaking in the same way. */
export const alike = (names: readonly ClientName[], how: string): Breaks =>
  Object.fromEntries(names.map((name) => [name, how]));

/** All clients of an API, breaking in the same way. */
export const all = (api: ApiName, how: string): Breaks => among(api, alike(clientNames, how));

/** How a client breaks that reads arguments with `JSON.parse`, or the like. */
export const NOT_JSON = "the arguments are not JSON, and its code throws";
