import { counted } from "../terminal/counted.js";
import { printableLine } from "../terminal/printable.js";
import { table } from "../terminal/table.js";
import type { Style, Terminal } from "../terminal/terminal.js";
import type { Status } from "./check.js";
import type { ClientStatus, Finding, Report } from "./report.js";

const marks: Record<Status, { mark: string; style: Style }> = {
  fault: { mark: "✗", style: "red" },
  warning: { mark: "!", style: "yellow" },
  unseen: { mark: "?", style: "dim" },
  pass: { mark: "✓", style: "green" },
};

const verdicts: Record<ClientStatus, { words: string; style: Style }> = {
  works: { words: "works", style: "green" },
  limited: { words: "works, with warnings", style: "yellow" },
  breaks: { words: "breaks", style: "red" },
  unseen: { words: "no call was seen", style: "dim" },
  "not-served": { words: "API not there", style: "dim" },
};

/** Prints a report: the clients as a table, then the problems. `all`: also passed checks. */
export function printReport(terminal: Terminal, report: Report, all: boolean): void {
  const { url, model, requests, duration, counts } = report;
  terminal.print(
    `${terminal.style("bold", url)}, model ${printableLine(model)}: ${requests} requests, ${(duration / 1000).toFixed(1)} s\n`,
  );
  const titles = new Map(report.apis.map(({ api, title }) => [api, title]));
  const rows = report.clients.map(({ title, api, status, because }) => {
    const { words, style } = verdicts[status];
    return [title, titles.get(api) ?? api, terminal.style(style, words), because.join(", ")];
  });
  terminal.print(table(terminal, ["client", "API", "", "because of"], rows));
  const order: Status[] = all ? ["fault", "warning", "unseen", "pass"] : ["fault", "warning"];
  for (const status of order)
    for (const one of report.checks.filter((check) => check.status === status)) printFinding(terminal, one);
  const { pass, fault, warning, unseen } = counts;
  terminal.print(`\n${counted(fault, "fault")}, ${counted(warning, "warning")}, ${pass} passed, ${unseen} not seen.`);
  if (!all) terminal.note("`--all` shows what passed and what was not seen.");
}

function printFinding(terminal: Terminal, { id, title, status, seen, specification, breaks, costs }: Finding): void {
  const { mark, style } = marks[status];
  if (status === "pass" || status === "unseen")
    return terminal.print(`${terminal.style(style, mark)} ${id}: ${title} (${seen})`);
  const lines = [
    `\n${terminal.style(style, `${mark} ${title}`)}  ${terminal.style("dim", id)}`,
    `  seen: ${seen}`,
    `  specification: ${specification.says} ${terminal.style("dim", specification.source)}`,
    ...breaks.map((one) => `  ${terminal.style("bold", one.title)}: ${one.how}`),
    ...costs.map((one) => `  ${terminal.style("bold", one.title)} works, but ${one.how}`),
  ];
  terminal.print(lines.join("\n"));
}
