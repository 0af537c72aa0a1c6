import type { InvalidToolCall, ReplyEvent, TextReason, ToolCall } from "@toolingua/core";
import { printable } from "../terminal/printable.js";
import type { Style, Terminal } from "../terminal/terminal.js";

/** Prints a reply for people: each call on a line with its repairs or error, text as it is. */
export function printReply(terminal: Terminal, events: readonly ReplyEvent[], reasons: readonly TextReason[]): void {
  for (const event of joined(events)) {
    if (event.type === "call-end") field(terminal, "green", "call", describeCall(terminal, event.call));
    else if (event.type === "call-invalid") field(terminal, "red", "invalid", describeCall(terminal, event.call));
    else if (event.type === "reasoning") field(terminal, "magenta", "reasoning", printable(event.text));
    else if (event.type === "dropped")
      field(terminal, "yellow", "dropped", `${printable(event.text)}\n(${event.reason})`);
    else if (event.type === "text") field(terminal, "cyan", "text", printable(event.text));
  }
  for (const { reason } of reasons) field(terminal, "yellow", "no call", printable(reason));
}

/** One call with its repairs or error, in lines. */
export function describeCall(terminal: Terminal, call: ToolCall | InvalidToolCall): string {
  const args = "arguments" in call ? ` ${JSON.stringify(call.arguments)}` : "";
  const said = `${terminal.style("bold", printable(call.name ?? "?"))}${printable(args)}`;
  if ("error" in call) return `${said}\n${call.error.code}: ${printable(call.error.message)}`;
  const repairs = (call.repairs ?? []).map(
    ({ code, path }) => `repaired: ${code}${path ? ` at ${printable(path)}` : ""}`,
  );
  return [said, ...repairs].join("\n");
}

/** A text next to its label, with further lines aligned below. */
function field(terminal: Terminal, style: Style, name: string, text: string): void {
  const shown = text.trim();
  if (shown === "") return;
  const head = `${terminal.style(style, name)}${" ".repeat(width - name.length)}`;
  terminal.print(`${head}${shown.replaceAll("\n", `\n${" ".repeat(width)}`)}`);
}

const width = 11;

/** Merges adjacent texts of one kind. */
function joined(events: readonly ReplyEvent[]): ReplyEvent[] {
  const all: ReplyEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if ((event.type === "text" || event.type === "reasoning") && last?.type === event.type) last.text += event.text;
    else all.push({ ...event });
  }
  return all;
}
