import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ConnectionOptions, McpEvent } from "./connection-options.js";
import { toRoot } from "./roots.js";
import { tell } from "./tell.js";

/** The client capabilities for a server: only those for which there is a handler. */
export const capabilitiesFor = ({ roots, onElicit, onSample }: ConnectionOptions): ClientCapabilities => ({
  ...(roots && { roots: { listChanged: true } }),
  ...(onElicit && { elicitation: { form: {}, url: {} } }),
  ...(onSample && { sampling: {} }),
});

/** Handles a server's requests, and forwards its notifications. */
export function addFeatures(client: Client, server: string, options: ConnectionOptions): void {
  const { roots, onElicit, onSample, onEvent: listener } = options;
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, async () => {
      const list = typeof roots === "function" ? await roots() : roots;
      return { roots: list.map(toRoot) };
    });
  }
  if (onElicit) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
      const { message } = params;
      if (params.mode === "url") return await onElicit({ server, mode: "url", message, url: params.url, signal });
      const { requestedSchema } = params;
      return await onElicit({ server, mode: "form", message, requestedSchema, signal });
    });
  }
  if (onSample) {
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => {
      return await onSample({ ...params, server, signal });
    });
  }
  if (!listener) return;
  const onEvent = (event: McpEvent) => tell(listener, event);
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () =>
    onEvent({ type: "resources-changed", server }),
  );
  client.setNotificationHandler(PromptListChangedNotificationSchema, () =>
    onEvent({ type: "prompts-changed", server }),
  );
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    onEvent({ type: "resource-updated", server, uri: params.uri }),
  );
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, logger, data } }) =>
    onEvent({ type: "log", server, level, data, ...(logger !== undefined && { logger }) }),
  );
}
