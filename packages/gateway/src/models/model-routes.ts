import { Hono } from "hono";
import type { GatewayEnv } from "../operation/context.js";
import { catalogue, modelEntry } from "./catalogue.js";

/** `GET /v1/models` and `/v1/models/{name}`. */
export const modelRoutes = new Hono<GatewayEnv>()
  .get("/", (c) => {
    const { models, created } = c.get("setup");
    return c.json(catalogue(models, created, c.req.header("anthropic-version") !== undefined));
  })
  .get("/:name{.+}", (c) => {
    const { models, created } = c.get("setup");
    const name = c.req.param("name");
    return c.json(modelEntry(models.get(name), created, name));
  });
