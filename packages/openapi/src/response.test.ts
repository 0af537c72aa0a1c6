import { describe, expect, test } from "vitest";
import { run, serveApi, toolOf } from "../test/api.js";

serveApi();

describe("a response", () => {
  test.each([
    ["/text", "grüße"],
    ["/latin", "grüße"],
    ["/long-id", '{"id": 12345678901234567890, "n": 1e400, "d": 1.50}'],
    ["/long", `${"é".repeat(50)}\n(cut: the first 101 bytes of 2000)`],
    ["/picture", "[image/png, 7 bytes: cannot be shown]"],
    ["/nothing", "204 No Content"],
  ])("of %s is %j", async (path, expected) => {
    expect(await run(await toolOf({}, path, { maxResponseBytes: 101 }))).toBe(expected);
  });

  test("has all digits of its numbers as data", async () => {
    const { data } = await (await toolOf({}, "/long-id")).call({});
    expect(data).toEqual({ id: "12345678901234567890", n: "1e400", d: 1.5 });
  });

  test("that is a failure passes its message to the model", async () => {
    expect(await run(await toolOf({}, "/wrong"))).toMatchObject({
      code: "http-status",
      status: 422,
      message: 'GET /wrong answered 422 Unprocessable Entity:\n{"error":"no such color","known":["red"]}',
    });
  });

  test("that does not arrive is a failure, and stops when it is aborted", async () => {
    expect(await run(await toolOf({}, "/broken"))).toMatchObject({ code: "unreachable" });
    expect(await run(await toolOf({}, "/never", { timeout: 100 }))).toMatchObject({ code: "timeout" });
    const events = await run(await toolOf({}, "/events", { timeout: 300 }));
    expect(events).toBe("data: 1\n\n\n(cut: the stream went on for more than 300 ms)");
    const signal = AbortSignal.timeout(100);
    const error = await Promise.resolve(run(await toolOf({}, "/never"), {}, signal)).catch((reason) => reason);
    expect(error).toBe(signal.reason);
  });
});
