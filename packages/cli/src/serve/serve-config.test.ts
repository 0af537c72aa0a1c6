import { expect, test } from "vitest";
import { serveConfig } from "./serve-config.js";

test("times of the command line, in milliseconds, are seconds in the configuration", async () => {
  const given = {
    upstream: "http://localhost:1/v1",
    model: "m",
    connectTimeout: 1,
    idleTimeout: 16_100,
    timeout: 600_000,
  };
  const { server } = await serveConfig(given, {});
  expect(server?.limits).toEqual({ connectTimeout: 0.001, idleTimeout: 16.1, timeout: 600 });
});
