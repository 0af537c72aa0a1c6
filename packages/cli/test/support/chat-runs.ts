import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";
import { call, chatModel, type Said } from "./chat-model.js";
import { type Controls, inPipe, inTerminal, type ProcessOptions, type TerminalOptions } from "./processes.js";

export const CTRL_C = "\u0003";
export const CTRL_D = "\u0004";
export const house = ["--tools", "house.mjs"];
export const read = call("read_temperature", { room: "kitchen" });
export const set = call("set_temperature", { room: "kitchen", degrees: 21 });

export async function talked(replies: readonly Said[], args: readonly string[], on: TerminalOptions["on"] = []) {
  const model = await chatModel(...replies);
  const { code, shown } = await inTerminal(["chat", "--upstream", model.upstream, ...args], { on });
  return { ...model, code, shown: stripVTControlCharacters(shown).replaceAll("\r", "") };
}

export async function piped(replies: readonly Said[], args: readonly string[], options: ProcessOptions = {}) {
  const model = await chatModel(...replies);
  return { ...model, ...(await inPipe(["chat", "--upstream", model.upstream, ...args], options)) };
}

/** Pressed once the call can have been read. */
export const pressed =
  (key: string) =>
  (_: string, { write }: Controls) =>
    void setTimeout(() => write(key), 300);

export function scratchFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "toolingua-chat-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}
