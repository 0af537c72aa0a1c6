import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OptionsError } from "@toolingua/core";
import { expect, it, onTestFinished, test } from "vitest";
import { positionalArguments, toolsFromFiles } from "./index.js";

/** The arguments of a call of the only function in a source. */
function positional(source: string, args: Record<string, unknown>) {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-functions-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "tools.ts");
  writeFileSync(file, source);
  return positionalArguments(toolsFromFiles([file])[0]!, args);
}

test.each([
  ["each as a parameter", "export function f(a: string, b = 3) {}", { b: 1, a: "x" }, ["x", 1]],
  ["a missing one", "export function f(a: string, b = 3, c?: number) {}", { a: "x" }, ["x", undefined, undefined]],
  ["as one object", "export const f = ({ a }: { a: string }) => a;", { a: "x" }, [{ a: "x" }]],
  ["one parameter that is no object", "export function f(a: string[]) {}", { a: ["x"] }, [["x"]]],
  ["as rest parameters", "export function f(a: string, ...b: number[]) {}", { a: "x", b: [1, 2] }, ["x", 1, 2]],
  ["no rest parameters", "export function f(a: string, ...b: number[]) {}", { a: "x" }, ["x"]],
  ["none", "export function f() {}", {}, []],
])("a function gets its arguments: %s", (_, source, args, wanted) => expect(positional(source, args)).toEqual(wanted));

it("needs a definition that has a function", () => {
  expect(() => positionalArguments({ name: "f" }, {})).toThrow(OptionsError);
});
