import { Hono } from "hono";
import { Failure } from "../failure.js";
import type { GatewayEnv } from "../operation/context.js";
import { inputItemsPage } from "./input-items-page.js";

/** `GET` and `DELETE /v1/responses/{id}`, and its `input_items`: https://platform.openai.com/docs/api-reference/responses/get */
export const storedRoutes = new Hono<GatewayEnv>()
  .get("/:id", async (c) => {
    if (c.req.query("stream") === "true")
      throw new Failure("invalid", "A stored response cannot be streamed: omit `stream`.", {
        param: "stream",
        code: "unsupported_parameter",
      });
    const { response } = await c.get("memory").get(c.req.param("id"));
    return c.json(response);
  })
  .get("/:id/input_items", async (c) => {
    const { input } = await c.get("memory").get(c.req.param("id"));
    return c.json(inputItemsPage(input, c.req.query()));
  })
  .delete("/:id", async (c) => {
    const id = c.req.param("id");
    await c.get("memory").delete(id);
    return c.json({ id, object: "response", deleted: true });
  });
