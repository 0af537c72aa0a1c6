import dns from "node:dns";
import { Server } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { serve } from "../src/index.js";

const models = [{ name: "m", upstream: { baseURL: "http://127.0.0.1:1/v1" } }];
const RIGHT = "127.0.0.1 for this machine only, 0.0.0.0 for its networks";

afterEach(() => vi.restoreAllMocks());

const failure = (code: string) => Object.assign(new Error(code), { code });

/** Makes every look-up of a name fail with this code. */
function failLookUps(code: string) {
  const lookup = (...args: unknown[]) => {
    const answer = args.at(-1) as (error: Error) => void;
    queueMicrotask(() => answer(failure(code)));
  };
  vi.spyOn(dns, "lookup").mockImplementation(lookup as never);
}

/** Makes every server fail to listen with this code. */
function failToListen(code: string) {
  vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server) {
    queueMicrotask(() => this.emit("error", failure(code)));
    return this;
  });
}

const issueOf = (server: { host?: string; port: number }) =>
  serve({ models, server }).catch(({ name, code, issues }) => ({ name, code, issues }));

const wrong = (path: string, message: string) => ({
  name: "GatewayConfigError",
  code: "bad-config",
  issues: [expect.objectContaining({ path, message })],
});

it("an address that is none of this machine is an error of the configuration", async () => {
  expect(await issueOf({ host: "192.0.2.1", port: 0 })).toEqual(
    wrong("server.host", `is "192.0.2.1", which is no address of this machine (EADDRNOTAVAIL): ${RIGHT}`),
  );
});

it.each([
  ["unknown", "ENOTFOUND", "which is no address of this machine (ENOTFOUND)"],
  ["not known while DNS is down", "EAI_AGAIN", "a name that cannot be looked up now (EAI_AGAIN)"],
])("a host name that is %s is an error of the configuration", async (_, code, why) => {
  failLookUps(code);
  expect(await issueOf({ host: "gateway.example.com", port: 0 })).toEqual(
    wrong("server.host", `is "gateway.example.com", ${why}: ${RIGHT}`),
  );
});

it.each([
  [80, "is 80, which needs more rights (EACCES): take one from 1024 on"],
  [8443, "is 8443, which the system reserves (EACCES): take another one"],
])("port %i, which the system does not give, is an error of the configuration", async (port, message) => {
  failToListen("EACCES");
  expect(await issueOf({ port })).toEqual(wrong("server.port", message));
});

it("another failure to listen is passed on", async () => {
  failToListen("EMFILE");
  await expect(serve({ models, server: { port: 0 } })).rejects.toMatchObject({ code: "EMFILE" });
});
