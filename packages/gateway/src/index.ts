export { parseConfig, readConfig } from "./config/read-config.js";
export {
  configJsonSchema,
  type GatewayConfig,
  type GatewayModelConfig,
  type KeyConfig,
  type LimitsConfig,
  type StoreConfig,
  type UpstreamConfig,
} from "./config/schema.js";
export { type ConfigIssue, GatewayConfigError } from "./errors.js";
export { createGateway, type Gateway, type GatewayOptions } from "./gateway.js";
export { DEFAULT_CONTEXT_WINDOW } from "./models/served-model.js";
export type { RequestRecord } from "./operation/request-record.js";
export { type RunningGateway, serve } from "./serve.js";
export type { ResponseStore, StoredResponse } from "./store/response-store.js";
