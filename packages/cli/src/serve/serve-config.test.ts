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

test("calls of a stream are sent whole with --no-live-calls only", async () => {
  const modelFor = async (liveCalls: boolean) =>
    (await serveConfig({ upstream: "http://localhost:1/v1", model: "m", liveCalls }, {})).models[0];
  expect(await modelFor(false)).toHaveProperty("liveCalls", false);
  expect(await modelFor(true)).not.toHaveProperty("liveCalls");
});

test.each(["auto", "required", "fallback"] as const)(
  "--constraint %s is wrong usage if it is not known what constrains the server's replies",
  async (constraint) => {
    const upstream = { upstream: "http://localhost:1/v1", model: "m", constraint };
    await expect(serveConfig(upstream, {})).rejects.toMatchObject({
      code: "usage",
      message: `--constraint ${constraint} depends on the kind of server: set it with --backend.`,
    });
    expect((await serveConfig({ ...upstream, backend: "vllm" }, {})).models).toMatchObject([{ constraint }]);
    expect((await serveConfig({ embedded: "smollm2", constraint }, {})).models).toMatchObject([{ constraint }]);
  },
);
