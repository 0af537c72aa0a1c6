import { expect, it, vi } from "vitest";
import { callOf, conversationOf, integer, toolOf } from "../../test/support/scripted-conversation.js";

it("the calls of a reply may each listen to their signal without a warning", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const seen = new Set<AbortSignal | undefined>();
  const tool = toolOf("work", { n: integer }, async (_, { signal }) => {
    seen.add(signal);
    for (let i = 0; i < 3; i++) signal?.addEventListener("abort", () => {});
    return "done";
  });
  const { conversation } = conversationOf(
    [{ calls: Array.from({ length: 8 }, (_, n) => callOf("work", { n })) }, "Well."],
    { tools: [tool], budget: { calls: 20 } },
  );
  expect((await conversation.run("Go.").result()).text).toBe("Well.");
  expect(seen.size).toBe(8);
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});
