import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ToolinguaError } from "../packages/core/src/index.js";

// What JavaScript passes by mistake: every public function refuses it with an error of this library, or takes it.

const root = fileURLToPath(new URL("../packages/", import.meta.url));
const WRONG: Record<string, unknown> = { undefined, null: null, number: 5, string: "x", object: {}, list: [] };

/**
 * What is not called: the building blocks of protocols, whose callers are the core's; what starts a process, writes files or
 * searches them.
 */
const LEFT_OUT = new Set([
  ...["@toolingua/core/adapters", "@toolingua/core/bodies", "@toolingua/core/protocols/*"],
  ...["converted", "Losses", "plainData", "LlamaCppEngine", "writeTinyModel", "removeModel", "listModels"],
  ...["serveStdio", "resolveModel", "render"],
]);

interface Entry {
  name: string;
  url: string;
}

function entriesOf(folder: string): Entry[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return Object.entries<Record<string, Record<string, string>> | string | null>(exports ?? {}).flatMap(
    ([key, target]) => {
      const path = target !== null && typeof target === "object" ? target.import?.default : undefined;
      const entry = name + key.slice(1);
      return path === undefined || LEFT_OUT.has(entry)
        ? []
        : [{ name: entry, url: pathToFileURL(join(root, folder, path)).href }];
    },
  );
}

const entries = readdirSync(root).flatMap(entriesOf);

type Call = (...given: unknown[]) => unknown;

/** The functions of a module, and those of its objects and of the objects in them, by name. */
function functionsOf(holder: object, within = "", depth = 0): [name: string, call: Call][] {
  return Object.entries(holder).flatMap(([key, value]): [string, Call][] => {
    const name = within + key;
    if (LEFT_OUT.has(key)) return [];
    if (typeof value === "object" && value !== null && !Array.isArray(value) && depth < 2)
      return functionsOf(value, `${name}.`, depth + 1);
    if (typeof value !== "function" || value.prototype instanceof Error) return [];
    const isClass = /^class\b/.test(Function.prototype.toString.call(value));
    return [[name, isClass ? (...given) => new value(...given) : value.bind(holder)]];
  });
}

/** What a call throws that is no error of this library; nothing if it goes on. */
async function raw(call: () => unknown): Promise<unknown> {
  try {
    const made = call() as { result?: unknown } | undefined;
    const waiting = typeof made?.result === "function" ? made.result() : made;
    await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 200))]);
    return undefined;
  } catch (error) {
    return isOurs(error) ? undefined : error;
  }
}

/** The class may come from another copy of the core, such as the bundle. */
const isOurs = (error: unknown): boolean =>
  error instanceof ToolinguaError || (error instanceof Error && "code" in error && error.name !== "TypeError");

describe.each(entries)("$name", ({ url }) => {
  test("refuses what is no argument of its functions with errors of this library", async () => {
    const found: string[] = [];
    for (const [name, call] of functionsOf(await import(url)))
      for (const [first, one] of Object.entries(WRONG))
        for (const [second, two] of Object.entries(WRONG)) {
          const error = await raw(() => call(one, two));
          if (error !== undefined) found.push(`${name}(${first}, ${second}): ${error}`);
        }
    expect(found).toEqual([]);
  });
});
