import { EndpointError } from "@toolingua/endpoints";
import { expect, test } from "vitest";
import { askServer } from "./ask-server.js";

test("a server that does not answer cannot be reached; a request that was never sent says nothing about it", async () => {
  const baseURL = "http://127.0.0.1:1/v1";
  const error = expect.objectContaining({ code: "connect", message: expect.stringContaining("Cannot reach http://") });
  await expect(askServer({ baseURL }, "models")).rejects.toEqual(error);
  const unsent = askServer({ baseURL, apiKey: "a\nb" }, "models");
  await expect(unsent).rejects.not.toBeInstanceOf(EndpointError);
});

test("an address with a name or a password is asked nothing", async () => {
  const asked = askServer({ baseURL: "http://u:secret@127.0.0.1:1/v1" }, "models");
  await expect(asked).rejects.toThrow("The address contains a name or a password");
});
