import { expect, it } from "vitest";
import { serve } from "../src/index.js";

const models = [{ name: "m", upstream: { url: "http://127.0.0.1:1/v1" } }];

it.each(["no-such-host.invalid", "192.0.2.1"])(
  "a host that is none of this machine is an error of the configuration: %s",
  async (host) => {
    await expect(serve({ models, server: { host, port: 0 } })).rejects.toMatchObject({
      name: "GatewayConfigError",
      code: "bad-config",
      issues: [
        {
          path: "server.host",
          message: expect.stringMatching(
            /^is "\S+", which is no address of this machine \(E\w+\): 127\.0\.0\.1 for this machine only, 0\.0\.0\.0 for its networks$/,
          ),
        },
      ],
    });
  },
);
