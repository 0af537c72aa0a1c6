import { homedir } from "node:os";
import { join } from "node:path";
import type { Change } from "./settings.js";

/** The gateway that a client connects to. */
export interface Endpoint {
  /** The base URL, without `/v1`. */
  url: string;
  key: string;
  model: string;
  /** The context window, in tokens. */
  contextWindow: number;
}

/** A client's settings file in JSON, or a file of our own that it reads. */
export type ConfigFile =
  | { path(env: NodeJS.ProcessEnv): string; changes(endpoint: Endpoint): Change[] }
  | { path(env: NodeJS.ProcessEnv): string; text(endpoint: Endpoint): string };

/** A client program. */
export interface Client {
  title: string;
  command: string;
  /** The command that installs it. */
  install: string;
  /** Its own options that conflict with the setup, so they are refused. */
  managed: readonly string[];
  /** Settings that its `-c` or `--config` may not set. */
  managedSettings?: RegExp;
  /** Variables and arguments that connect it to the endpoint. */
  setup(endpoint: Endpoint): { env: Record<string, string>; args?: readonly string[] };
  /** What `--config` writes. */
  file?: ConfigFile;
  /** Whether it can be set up only through its file. */
  needsFile?: boolean;
  /** The command that starts it after `--config`. */
  start?: string;
}

/** The home folder of the user. */
export const home = (env: NodeJS.ProcessEnv) => env.HOME ?? env.USERPROFILE ?? homedir();

/** A string in TOML. JSON's strings are TOML's, except one character (DEL). */
const toml = (text: string) => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

/** https://code.claude.com/docs/en/llm-gateway-protocol, https://code.claude.com/docs/en/settings */
const claudeVariables = ({ url, key, model, contextWindow }: Endpoint): Record<string, string> => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_AUTH_TOKEN: key,
  // Otherwise a key in the user's environment would take precedence over the token.
  ANTHROPIC_API_KEY: "",
  ANTHROPIC_MODEL: model,
  ANTHROPIC_DEFAULT_OPUS_MODEL: model,
  ANTHROPIC_DEFAULT_SONNET_MODEL: model,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
  CLAUDE_CODE_SUBAGENT_MODEL: model,
  CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(contextWindow),
  // A line that changes with each request would invalidate the prefix cache.
  CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
});

const claude: Client = {
  title: "Claude Code",
  command: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  managed: ["--model"],
  setup: (endpoint) => ({ env: claudeVariables(endpoint) }),
  file: {
    path: (env) => join(env.CLAUDE_CONFIG_DIR ?? join(home(env), ".claude"), "settings.json"),
    changes: (endpoint) =>
      Object.entries(claudeVariables(endpoint)).map(([name, value]) => ({ path: ["env", name], value })),
  },
};

/**
 * https://github.com/openai/codex/blob/main/docs/config.md; the key is in a variable, so that no command line shows it.
 */
const codexSettings = ({ model, contextWindow }: Endpoint) => ({
  model: toml(model),
  model_provider: toml("toolingua"),
  model_context_window: String(contextWindow),
});
const codexProvider = ({ url }: Endpoint) => ({
  name: toml("Toolingua"),
  base_url: toml(`${url}/v1`),
  wire_api: toml("responses"),
});
const lines = (settings: Record<string, string>) =>
  Object.entries(settings).map(([name, value]) => `${name} = ${value}`);

const codex: Client = {
  title: "Codex",
  command: "codex",
  install: "npm install -g @openai/codex",
  managed: ["--model", "-m", "--profile", "-p", "--oss", "--local-provider"],
  managedSettings: /^\s*model(?:_provider|_providers|_context_window)?\s*[.=]/,
  setup(endpoint) {
    const provider = { ...codexProvider(endpoint), env_key: toml("TOOLINGUA_CLIENT_KEY") };
    const inline = `{ ${lines(provider).join(", ")} }`;
    const settings = { ...codexSettings(endpoint), "model_providers.toolingua": inline };
    return {
      env: { TOOLINGUA_CLIENT_KEY: endpoint.key },
      args: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    };
  },
  file: {
    path: (env) => join(env.CODEX_HOME ?? join(home(env), ".codex"), "toolingua.config.toml"),
    text: (endpoint) =>
      [
        ...lines(codexSettings(endpoint)),
        "",
        "[model_providers.toolingua]",
        ...lines({ ...codexProvider(endpoint), experimental_bearer_token: toml(endpoint.key) }),
        "",
      ].join("\n"),
  },
  start: "codex --profile toolingua",
};

/** https://opencode.ai/docs/config, https://opencode.ai/docs/providers */
const opencodeProvider = ({ url, key, model, contextWindow }: Endpoint) => ({
  npm: "@ai-sdk/openai-compatible",
  name: "Toolingua",
  options: { baseURL: `${url}/v1`, apiKey: key },
  models: { [model]: { name: model, limit: { context: contextWindow, output: Math.ceil(contextWindow / 4) } } },
});

const opencode: Client = {
  title: "OpenCode",
  command: "opencode",
  install: "npm install -g opencode-ai",
  managed: ["--model", "-m"],
  setup: (endpoint) => {
    const config = { model: `toolingua/${endpoint.model}`, provider: { toolingua: opencodeProvider(endpoint) } };
    return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } };
  },
  file: {
    path: (env) => join(env.XDG_CONFIG_HOME ?? join(home(env), ".config"), "opencode", "opencode.json"),
    changes: (endpoint) => [
      { path: ["provider", "toolingua"], value: opencodeProvider(endpoint) },
      { path: ["model"], value: `toolingua/${endpoint.model}` },
    ],
  },
};

/** https://github.com/QwenLM/qwen-code */
const qwenVariables = ({ url, key, model }: Endpoint) => ({
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: key,
  OPENAI_MODEL: model,
});

const qwen: Client = {
  title: "Qwen Code",
  command: "qwen",
  install: "npm install -g @qwen-code/qwen-code",
  managed: ["--model", "-m", "--openai-api-key", "--openai-base-url", "--auth-type"],
  setup: (endpoint) => ({ env: qwenVariables(endpoint), args: ["--auth-type", "openai"] }),
};

/** https://aider.chat/docs/llms/openai-compat.html */
const aider: Client = {
  title: "Aider",
  command: "aider",
  install: "python -m pip install aider-install && aider-install",
  managed: ["--model", "--openai-api-base", "--openai-api-key", "--weak-model", "--editor-model"],
  setup: ({ url, key, model }) => ({
    env: { OPENAI_API_BASE: `${url}/v1`, OPENAI_API_KEY: key, AIDER_MODEL: `openai/${model}` },
  }),
};

/** https://block.github.io/goose/docs/guides/environment-variables */
const goose: Client = {
  title: "Goose",
  command: "goose",
  install: "https://block.github.io/goose/docs/getting-started/installation",
  managed: ["--model", "--provider"],
  setup: ({ url, key, model, contextWindow }) => ({
    env: {
      ...{ GOOSE_PROVIDER: "openai", GOOSE_MODEL: model, OPENAI_HOST: url, OPENAI_API_KEY: key },
      GOOSE_CONTEXT_LIMIT: String(contextWindow),
    },
  }),
};

/** https://docs.factory.ai/cli/byok/overview: it reads models only from its file. */
const droid: Client = {
  title: "Droid",
  command: "droid",
  install: "curl -fsSL https://app.factory.ai/cli | sh",
  managed: ["--model", "-m"],
  setup: () => ({ env: {} }),
  needsFile: true,
  file: {
    path: (env) => join(home(env), ".factory", "settings.json"),
    changes: ({ url, key, model, contextWindow }) => {
      const id = `custom:toolingua-${model}`;
      const entry = {
        ...{ model, id, displayName: `${model} (Toolingua)`, baseUrl: `${url}/v1`, apiKey: key },
        ...{ provider: "generic-chat-completion-api", maxOutputTokens: Math.ceil(contextWindow / 4) },
      };
      return [
        { path: ["customModels"], add: entry },
        { path: ["sessionDefaultSettings", "model"], value: id },
      ];
    },
  },
};

/** The programs that can be launched, by their command names. */
export const clients: Readonly<Record<string, Client>> = { claude, codex, opencode, qwen, aider, goose, droid };
