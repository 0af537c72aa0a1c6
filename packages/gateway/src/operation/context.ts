import type { Context, MiddlewareHandler } from "hono";
import type { ErrorShape } from "../apis/api.js";
import type { ResponseMemory } from "../store/response-memory.js";
import type { RequestWatch } from "./request-record.js";
import type { Setup } from "./setup.js";

/** What is known of a request while it is answered. */
export interface GatewayEnv {
  Variables: {
    requestId: string;
    setup: Setup;
    /** Of requests to a model. */
    watch?: RequestWatch;
    /** What is stored of who asks. There once they are known. */
    memory: ResponseMemory;
    /** Aborts when nobody waits for the answer any more. */
    signal: AbortSignal;
    /** The API whose shape errors have. */
    shape?: ErrorShape;
    isStreaming?: boolean;
  };
}

export type GatewayContext = Context<GatewayEnv>;
export type Middleware = MiddlewareHandler<GatewayEnv>;
