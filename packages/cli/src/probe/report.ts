import { counted } from "../terminal/counted.js";
import { table } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import type { ProbeResult } from "./probe.js";
import type { CandidateResult, Share } from "./results.js";
import type { Verdict } from "./winner.js";

/** The contents of a report, besides the results of the probe. */
export interface Findings extends ProbeResult, Verdict {
  model: string;
  /** The server's URL; undefined: in this process. */
  url?: string | undefined;
  backend?: string | undefined;
  native?: { protocol: string; from: string } | undefined;
  questions: number;
  /** A configuration of `toolingua serve` and a line of code, for the best wire format. */
  config?: string;
  code?: string;
  /** The file with the answers. */
  state: string;
}

/** Prints the report for people. */
export function printReport(terminal: Terminal, findings: Findings): void {
  const { candidates, winner, mayBeBest, best, code, unasked, questions } = findings;
  const usable = candidates.filter(({ stopped }) => stopped !== "unusable");
  const head = ["format", "right", "95 %", "valid calls", "tokens", "ms", ""];
  const rows = [...usable].sort(byRight).map((result) => row(terminal, result, winner, questions));
  terminal.print(table(terminal, head, rows));
  for (const { candidate, why } of candidates.filter(({ stopped }) => stopped === "unusable"))
    terminal.print(`${candidate.id}: cannot be asked: ${why ?? "it failed"}`);
  terminal.print("");
  for (const line of conclusion(findings)) terminal.print(line);
  if (winner && mayBeBest.length > 1) {
    const others = mayBeBest.filter((one) => one !== winner).map(({ candidate }) => candidate.id);
    terminal.print(`Not shown to be worse: ${others.join(", ")}.`);
  }
  for (const { protocol, replies, of } of unasked)
    terminal.print(
      `The model wrote ${protocol} in ${replies} of ${of} replies with calls that asked for another format.`,
    );
  if (best && code !== undefined) terminal.print(`\n${terminal.style("bold", "In code:")}\n${code}`);
}

/** The findings, in sentences. */
export function conclusion({ winner, best, model, native, candidates }: Findings): string[] {
  if (!winner) return [...noWinner(model, candidates), ...cutOff(candidates)];
  const first = `Best: ${winner.candidate.id}, ${winner.right.count} of ${winner.right.asked} right (95 %: ${percents(winner)}).`;
  const formats = best
    ? `The server's own tools do best; of the wire formats ${best.candidate.id} does.`
    : "Only the server's own tools do better than chance.";
  const own = winner === best ? [] : [formats];
  const trained =
    native === undefined || best === undefined || best.candidate.protocol === native.protocol
      ? []
      : [`The model was trained on ${native.protocol}, by ${native.from}.`];
  return [first, ...own, ...trained, ...cutOff([winner])];
}

/** What is known where no candidate is shown to make right calls more often than by chance. Few questions show little. */
function noWinner(model: string, candidates: readonly CandidateResult[]): string[] {
  const [best] = [...candidates].sort(
    ({ calls: one }, { calls: other }) => other.count - one.count || other.asked - one.asked,
  );
  if (!best || best.calls.asked === 0) return [`${model} answered no question that needs a call.`];
  const { count, asked, interval } = best.calls;
  const share = `${best.candidate.id}, ${of(best.calls)} calls right (95 %: ${percents(best.calls)})`;
  const said =
    count === 0
      ? `${model} made no right calls in any of these formats: ${share}.`
      : `${model} is not shown to make right calls more often than by chance, in any of these formats. Most: ${share}.`;
  return [said, ...(interval.high > WIDE ? [`${asked} such questions show little: --questions asks more.`] : [])];
}

/** The upper end of an interval from which on a model without right calls may still be useful. */
const WIDE = 0.2;

function cutOff(results: readonly CandidateResult[]): string[] {
  const count = results.reduce((sum, { cut }) => sum + cut, 0);
  if (count === 0) return [];
  return [`${counted(count, "reply was", "replies were")} cut off at the token limit: --max-tokens raises it.`];
}

const byRight = (one: CandidateResult, other: CandidateResult) =>
  other.right.asked - one.right.asked || other.right.count - one.right.count;

function row(
  terminal: Terminal,
  result: CandidateResult,
  winner: CandidateResult | undefined,
  questions: number,
): string[] {
  const { candidate, right, valid, tokens, ms } = result;
  return [
    result === winner ? terminal.style(["bold", "green"], candidate.id) : candidate.id,
    of(right),
    percents(result),
    of(valid),
    `${tokens.estimated ? "~" : ""}${tokens.in} + ${tokens.out}`,
    String(ms),
    remark(result, winner, questions),
  ];
}

function remark(result: CandidateResult, winner: CandidateResult | undefined, questions: number): string {
  if (result === winner) return "best";
  if (result.right.asked < questions) return result.stopped === "worse" ? "stopped: worse" : "stopped: behind";
  const [fault] = Object.entries(result.faults);
  return fault ? `${fault[1]} × ${fault[0]}` : "";
}

const of = ({ count, asked }: Share) => `${count} of ${asked}`;

/** "64–95 %" */
const percents = ({ interval }: Pick<CandidateResult, "interval">): string =>
  `${Math.round(interval.low * 100)}–${Math.round(interval.high * 100)} %`;

/** The report as data, for `--json`. */
export function reportJson(findings: Findings): object {
  const { candidates, winner, best, mayBeBest, config, code } = findings;
  const { model, url, backend, native, questions, spoken, unasked, state } = findings;
  return {
    ...{ model, url, backend, native, questions },
    winner: winner && wayOf(winner),
    best: best && { ...wayOf(best), config, code },
    candidates: candidates.map((result) => ({
      ...wayOf(result),
      ...{ stopped: result.stopped, why: result.why, right: result.right, interval: result.interval },
      ...{ calls: result.calls, valid: result.valid, kinds: result.kinds, faults: result.faults },
      ...{ tokens: result.tokens, ms: result.ms, cutOff: result.cut },
      mayBeBest: mayBeBest.includes(result),
    })),
    ...{ spoken, unasked, state },
  };
}

const wayOf = ({ candidate: { id, protocol, constrained } }: CandidateResult) => ({
  id,
  protocol: protocol ?? null,
  constraint: constrained ? "auto" : "off",
});
