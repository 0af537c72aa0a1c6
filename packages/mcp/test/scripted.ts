import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { McpServerConfig } from "../src/index.js";

type Answers = Record<string, (params: never, send: (message: object) => void) => unknown>;

/** An in-process server with scripted answers; undefined: no answer. */
export function scripted(answers: Answers): McpServerConfig {
  return {
    transport() {
      const transport: Transport = {
        start: async () => {},
        close: async () => transport.onclose?.(),
        async send(message) {
          const { id, method = "", params } = message as { id?: number; method?: string; params?: unknown };
          const send = (other: object) => transport.onmessage?.({ jsonrpc: "2.0", ...other } as JSONRPCMessage);
          const defaults: Answers = {
            initialize: () => ({
              protocolVersion: (params as { protocolVersion: string }).protocolVersion,
              capabilities: { tools: { listChanged: true } },
              serverInfo: { name: "hostile", version: "1" },
            }),
            ping: () => ({}),
            "tools/list": () => ({ tools: [{ name: "one", inputSchema: { type: "object" } }] }),
          };
          const result = (answers[method] ?? defaults[method])?.(params as never, send);
          if (id !== undefined && result !== undefined) setImmediate(() => send({ id, result }));
        },
      };
      return transport;
    },
  };
}
