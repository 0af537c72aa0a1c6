import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { transformWithEsbuild } from "vite";
import { describe, expect, it } from "vitest";

/** How the examples of a README are run. */
interface Running {
  /** How many there are. */
  count: number;
  /** What they import, by name. */
  scope: Record<string, unknown>;
  /** Exports of entries whose names differ from those of `scope`, by specifier. */
  entries?: Record<string, Record<string, unknown>>;
  /** Changes that a test needs. */
  edit?: (example: string) => string;
}

const asOneLine = { breakLength: Number.POSITIVE_INFINITY, depth: null };

/** The TypeScript examples of a README that log something: each logs what its comments say. */
export function describeReadme(
  readme: URL,
  { count, scope, entries = {}, edit = (example) => example }: Running,
): void {
  const examples = [...readFileSync(readme, "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, code = ""]) =>
    code.includes("console.log") ? [code] : [],
  );

  describe("the README's example", () => {
    it.each(examples)("runs:\n%s", async (example) => {
      const expected = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, said]) => said);
      const body = edit(example.replace(/^import [^;]*;.*$/gm, ""));
      const { code } = await transformWithEsbuild(`export async function run() {${body}}`, "example.ts", {
        target: "es2022",
        format: "cjs",
      });
      const module = { exports: {} as { run(): Promise<void> } };
      const logged: unknown[] = [];
      const console = { log: (...all: unknown[]) => logged.push(...all) };
      const imported = Object.entries(entries).filter(([entry]) => example.includes(`from "${entry}"`));
      const own = Object.assign({}, ...imported.map(([, names]) => names));
      const all = { ...scope, ...own, module, exports: module.exports, console };
      new Function(...Object.keys(all), code)(...Object.values(all));
      await module.exports.run();
      const words = logged.map((one) => (typeof one === "string" ? one.trim() : inspect(one, asOneLine)));
      expect(words.join(" ")).toBe(expected.join(" "));
    });

    it(`is there, ${count === 1 ? "once" : `${count} times`}`, () => {
      expect(examples).toHaveLength(count);
    });
  });
}
