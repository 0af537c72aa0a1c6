import { Terminal } from "@xterm/headless";

/** What a terminal of 100 columns has on its screen, and above it, after all of this was written to it. */
export async function screenOf(written: string): Promise<string> {
  const terminal = new Terminal({ cols: 100, rows: 50, scrollback: 1000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(written, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
  terminal.dispose();
  return lines.join("\n").trimEnd();
}
