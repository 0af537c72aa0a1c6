import { EndpointError } from "@toolingua/endpoints";
import { expect, test } from "vitest";
import { askServer } from "./ask-server.js";

test("a server that does not answer cannot be reached; a request that was never sent says nothing about it", async () => {
  const baseURL = "http://127.0.0.1:2/v1";
  const error = expect.objectContaining({ code: "connect", message: expect.stringContaining("Cannot reach http://") });
  await expect(askServer({ baseURL }, "models")).rejects.toEqual(error);
  const unsent = askServer({ baseURL, apiKey: "a\nb" }, "models");
  await expect(unsent).rejects.not.toBeInstanceOf(EndpointError);
});

test("a port that fetch refuses is wrong usage", async () => {
  await expect(askServer({ baseURL: "http://127.0.0.1:6000/v1" }, "models")).rejects.toMatchObject({
    code: "usage",
    message:
      "http://127.0.0.1:6000 cannot be reached: Node.js, like browsers, connects to no port of another protocol, " +
      "as 6000 is. Let the server listen on another port, such as 8080.",
  });
});

test("an address with a name or a password is asked nothing", async () => {
  const asked = askServer({ baseURL: "http://u:secret@127.0.0.1:1/v1" }, "models");
  await expect(asked).rejects.toThrow("The address contains a name or a password");
});
