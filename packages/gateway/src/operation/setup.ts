import { isDeepStrictEqual } from "node:util";
import { ToolinguaError } from "@toolingua/core";
import {
  type GatewayConfig,
  type GatewayModelConfig,
  type Limits,
  limitsSchema,
  type StoreConfig,
  storeSchema,
} from "../config/schema.js";
import { GatewayConfigError } from "../errors.js";
import { ModelList } from "../models/model-list.js";
import { type ServedModel, servedModel } from "../models/served-model.js";
import { memoryStore, type ResponseStore } from "../store/response-store.js";
import { Keys } from "./keys.js";

/** The state that a configuration produces. */
export interface Setup {
  models: ModelList;
  /** The store of responses. */
  store: ResponseStore | undefined;
  /** The configuration of the store. */
  storeConfig: StoreConfig | undefined;
  /** Whether spans, the log and the admin page may contain text of requests, replies and upstreams. */
  withContent: boolean;
  /** Whether there is an admin page. */
  admin: boolean;
  keys: Keys;
  /** The origins whose pages may use the gateway, besides those of this machine. */
  origins: readonly string[];
  limits: Limits;
  /** The start time, in seconds since 1970. */
  created: number;
}

/**
 * Builds the state of a configuration. Models with the same configuration as in `before` are kept, so that embedded
 * models stay loaded and the state of upstreams is not lost.
 *
 * Errors: {@link GatewayConfigError} `bad-config` for options that an endpoint does not accept.
 */
export function setUp(
  { models, server = {}, store: storeConfig, telemetry = {}, admin = false }: GatewayConfig,
  before?: Setup,
): Setup {
  const limits = limitsSchema.parse(server.limits ?? {});
  const known = before && hasSameTimes(before.limits, limits) ? before.models.models : [];
  const served = models.map(
    (model, i) => known.find(({ config }) => isDeepStrictEqual(config, model)) ?? made(model, i, limits),
  );
  return {
    models: new ModelList(served),
    admin,
    keys: new Keys(server.keys ?? []),
    origins: server.origins ?? [],
    limits,
    // An unchanged store keeps its contents.
    store: isDeepStrictEqual(before?.storeConfig, storeConfig) && before ? before.store : storeOf(storeConfig),
    storeConfig,
    withContent: telemetry.content ?? false,
    created: before?.created ?? Math.floor(Date.now() / 1000),
  };
}

/** Whether the limits that upstreams depend on are unchanged. */
const hasSameTimes = (before: Limits, limits: Limits): boolean =>
  (["connectTimeout", "idleTimeout", "timeout"] as const).every((name) => before[name] === limits[name]);

const storeOf = (config: StoreConfig | undefined): ResponseStore | undefined =>
  config && memoryStore(storeSchema.parse(config));

function made(model: GatewayModelConfig, i: number, limits: Limits): ServedModel {
  try {
    return servedModel(model, limits);
  } catch (error) {
    if (!(error instanceof ToolinguaError)) throw error;
    throw new GatewayConfigError("bad-config", [{ path: `models[${i}]`, message: error.message }], { cause: error });
  }
}
