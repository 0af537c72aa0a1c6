import type { Context, MiddlewareHandler } from "hono";
import type { ErrorShape } from "../apis/api.js";
import type { AskedBody } from "../apis/schema-place.js";
import type { ResponseMemory } from "../store/response-memory.js";
import type { RequestWatch } from "./request-record.js";
import type { Setup } from "./setup.js";

/** The context of a request. */
export interface GatewayEnv {
  Variables: {
    requestId: string;
    setup: Setup;
    /** When the request came, as `performance.now()`. */
    begun: number;
    /** Set for requests to a model. */
    watch?: RequestWatch;
    /** The stored responses of the client. Set after authentication. */
    memory: ResponseMemory;
    /** Aborted when the client has disconnected, or the gateway stops. */
    signal: AbortSignal;
    /** The body of a request to a model, as it was sent. */
    asked?: AskedBody;
    /** The API in whose shape errors are written. */
    shape?: ErrorShape;
    isStreaming?: boolean;
  };
}

export type GatewayContext = Context<GatewayEnv>;
export type Middleware = MiddlewareHandler<GatewayEnv>;
