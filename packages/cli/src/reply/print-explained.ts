import { printable } from "../terminal/printable.js";
import type { Style, Terminal } from "../terminal/terminal.js";
import type { ReplyPart } from "./explain-reply.js";
import { describeCall } from "./print-reply.js";

/**
 * Prints the parts of a reply in order: their positions, their roles, and the source with visible line ends.
 */
export function printExplained(terminal: Terminal, parts: readonly ReplyPart[]): void {
  const digits = String(parts.at(-1)?.to ?? 0).length;
  for (const part of parts) {
    const { from, to, became, source } = part;
    const place = `${String(from).padStart(digits)}–${String(to).padEnd(digits)}`;
    const name = part.became === "call" && "error" in part.call ? "invalid" : became;
    const lines = printable(source).split("\n");
    lines.forEach((line, index) => {
      const end = index < lines.length - 1 ? terminal.style("dim", "⏎") : "";
      // The last line end was already shown.
      if (line === "" && end === "" && lines.length > 1) return;
      const head = index === 0 ? `${terminal.style("dim", place)}  ${name.padEnd(10)}` : " ".repeat(place.length + 12);
      terminal.print(`${head}${terminal.style(styles[became], line)}${end}`);
    });
    const margin = " ".repeat(place.length + 12);
    const notes = part.became === "call" ? [describeCall(terminal, part.call)] : [];
    if (part.became === "dropped") notes.push(part.reason);
    if ("why" in part && part.why !== undefined) notes.push(`no call: ${part.why}`);
    for (const note of notes) terminal.print(`${margin}→ ${note.replaceAll("\n", `\n${margin}  `)}`);
  }
}

const styles: Record<ReplyPart["became"], Style> = {
  text: "reset",
  reasoning: "magenta",
  dropped: "yellow",
  call: "green",
  markup: "dim",
};
