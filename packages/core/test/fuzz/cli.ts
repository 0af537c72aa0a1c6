import { parseArgs } from "node:util";
import { getProtocol, type ProtocolName } from "../../src/index.js";
import { type Count, type Failure, type FuzzReport, fuzz } from "./fuzz.js";

const USAGE = `npm run fuzz [-- options]
  --runs N        how many replies (default 100000, or no limit with --seconds)
  --seconds N     stop after so many seconds
  --seed S        the same seed makes the same replies (default 1)
  --from N        the first run's number, to see one again
  --protocol P    only this wire format
  --property X    only laws whose names contain X`;

/** The command line of the fuzzer. Returns the exit code: 0 = every law held, 1 = one was broken, 2 = bad options. */
export function main(args: string[]): number {
  let values: Record<string, string | undefined>;
  try {
    const text = { type: "string" } as const;
    if (args.includes("--help")) {
      console.log(USAGE);
      return 0;
    }
    const options = { runs: text, seconds: text, seed: text, from: text, protocol: text, property: text };
    values = parseArgs({ args, options }).values;
    if (values.protocol) getProtocol(values.protocol as ProtocolName);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const number = (name: string) => (values[name] === undefined ? undefined : Number(values[name]));
  const seconds = number("seconds");
  const seed = number("seed") ?? 1;
  const runs = number("runs") ?? (seconds === undefined ? 100_000 : Number.MAX_SAFE_INTEGER);
  const from = number("from") ?? 0;
  if ([seed, runs, from, seconds ?? 0].some(Number.isNaN)) {
    console.error(USAGE);
    return 2;
  }
  const { protocol, property } = values;
  const report = fuzz({
    seed,
    runs,
    from,
    ...(seconds === undefined ? {} : { seconds }),
    ...(protocol === undefined ? {} : { protocol: protocol as ProtocolName }),
    ...(property === undefined ? {} : { property }),
    onFailure: (failure) => printFailure(failure, seed, protocol),
    onProgress: (done, failures) => console.error(`${done} replies, ${failures} failures`),
  });
  print(report, seed);
  return report.failures.length > 0 ? 1 : 0;
}

function printFailure({ law, run, message, code }: Failure, seed: number, protocol?: string): void {
  const only = protocol === undefined ? "" : ` --protocol ${protocol}`;
  console.log(`\n✗ ${law}\n  ${code}\n  ${message}\n  npm run fuzz -- --seed ${seed} --from ${run} --runs 1${only}`);
}

function print({ runs, seconds, laws, mutations }: FuzzReport, seed: number): void {
  console.log(`\n${table("law", laws)}\n\n${table("mutation", mutations)}`);
  const failed = [...laws.values()].reduce((sum, count) => sum + count.failed, 0);
  const rate = Math.round(runs / seconds);
  console.log(`\n${runs} replies, ${failed} failures, seed ${seed}, ${seconds.toFixed(1)} s, ${rate} replies/s`);
}

function table(title: string, counts: ReadonlyMap<string, Count>): string {
  const rows = [
    [title, "checked", "failed"],
    ...[...counts].map(([name, { checked, failed }]) => [name, `${checked}`, `${failed}`]),
  ];
  const width = Math.max(...rows.map(([name]) => name!.length));
  return rows
    .map(([name, checked, failed]) => `${name!.padEnd(width)} ${checked!.padStart(9)} ${failed!.padStart(7)}`)
    .join("\n");
}
