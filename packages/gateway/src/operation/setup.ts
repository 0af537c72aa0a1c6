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

/** What requests are answered with: all that a configuration says. */
export interface Setup {
  models: ModelList;
  /** Where responses are kept. */
  store: ResponseStore | undefined;
  /** How that is configured. */
  storeConfig: StoreConfig | undefined;
  /** Whether spans, the log and the admin page have words of requests, replies and upstreams. */
  withContent: boolean;
  /** Whether there is an admin page. */
  admin: boolean;
  keys: Keys;
  /** Of what pages in a browser may ask, beside those of this machine. */
  origins: readonly string[];
  limits: Limits;
  /** When it began, in seconds since 1970. */
  created: number;
}

/**
 * Makes what a configuration says. Models that are configured as they were `before` stay: embedded ones are loaded, and
 * upstreams are known.
 *
 * Errors: {@link GatewayConfigError} `bad-config` for what an endpoint does not take.
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
    // What is stored stays where its limits do.
    store: isDeepStrictEqual(before?.storeConfig, storeConfig) && before ? before.store : storeOf(storeConfig),
    storeConfig,
    withContent: telemetry.content ?? false,
    created: before?.created ?? Math.floor(Date.now() / 1000),
  };
}

/** Of all limits, these are the upstreams' own. */
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
