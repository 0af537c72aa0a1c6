import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { moduleTools } from "./module-tools.js";

const loaded = vi.hoisted(() => vi.fn());
vi.mock(import("@toolingua/ai-sdk"), (original) => {
  loaded();
  return original();
});

const never = (message: string) => expect.fail(message);
const sample = (name: string) => fileURLToPath(new URL(`../../test/samples/${name}`, import.meta.url));

test("the adapter of the AI SDK is loaded only for a tool of the AI SDK", async () => {
  expect(await moduleTools(sample("notes.ts"), process.cwd(), never)).toHaveLength(3);
  expect(loaded).not.toHaveBeenCalled();
  expect(await moduleTools(sample("foreign.mjs"), process.cwd(), never)).toHaveLength(2);
  expect(loaded).toHaveBeenCalledOnce();
});
