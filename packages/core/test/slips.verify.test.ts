import { expect, test } from "vitest";
import type { ProtocolName } from "../src/index.js";
import { protocolNames } from "./arbitraries.js";
import { given } from "./support/slip-scenarios.js";
import { type Judged, judge, print, type Verdict } from "./support/slipped-calls.js";
import { slipKinds } from "./support/slips.js";

// `npm run verify -- slips`: replies with one slip in them, of every kind in every place, in every protocol. Prints how many
// are read right, refused, lost (some of the calls run and nothing is said of the others) and wrong, of which there may be
// none. SLIPS=12: so many scenarios; SLIPS_SHOW=3: some of what is wrong in each cell; SLIPS_ONLY=hermes,yaml: these alone;
// SLIPS_MATRIX=1: the share that is read right, by kind and protocol.

const count = Number(process.env.SLIPS ?? 6);
const shown = Number(process.env.SLIPS_SHOW ?? 3);
const only = process.env.SLIPS_ONLY?.split(",");
const names = protocolNames.filter((name) => only?.includes(name) ?? true);
const verdicts: readonly Verdict[] = ["right", "refused", "lost", "wrong"];

type Counts = Record<Verdict, number>;

class Table {
  private readonly rows = new Map<string, Counts>();

  add(key: string, verdict: Verdict): void {
    const row = this.rows.get(key) ?? { right: 0, refused: 0, lost: 0, wrong: 0 };
    row[verdict]++;
    this.rows.set(key, row);
  }

  line(key: string): string {
    const row = this.rows.get(key);
    const cells = verdicts.map((verdict) => String(row?.[verdict] ?? 0).padStart(9));
    return key.padEnd(28) + cells.join("") + this.share(key).padStart(9);
  }

  share(key: string): string {
    const row = this.rows.get(key);
    if (!row) return "-";
    const all = verdicts.reduce((sum, verdict) => sum + row[verdict], 0);
    return `${((100 * row.right) / all).toFixed(0)} %`;
  }
}

const cell = (kind: string, protocol: ProtocolName) => `${kind} × ${protocol}`;

test("no slip makes a call that was not meant", { timeout: 3_600_000 }, () => {
  const table = new Table();
  const wrong = new Map<string, (Judged & { wanted: string })[]>();
  for (const protocol of names) {
    for (const { scenario, kinds } of given(count)) {
      for (const slip of judge(protocol, scenario, kinds)) {
        const place = cell(slip.kind, protocol);
        for (const key of [slip.kind, protocol, place, "all"]) table.add(key, slip.verdict);
        if (slip.verdict !== "wrong") continue;
        wrong.set(place, [...(wrong.get(place) ?? []), { ...slip, wanted: scenario.calls.map(print).join(" ") }]);
      }
    }
  }
  const title = "".padEnd(28) + [...verdicts, "right"].map((verdict) => verdict.padStart(9)).join("");
  const line = (key: string) => table.line(key);
  console.log([title, ...slipKinds.map(line), "", ...names.map(line), "", line("all")].join("\n"));
  if (process.env.SLIPS_MATRIX) {
    for (const protocol of names) {
      const shares = slipKinds.map((kind) => `${kind} ${table.share(cell(kind, protocol))}`);
      console.log(`${protocol}: ${shares.join(", ")}`);
    }
  }
  for (const [place, list] of wrong) {
    const lines = list
      .slice(0, shown)
      .map(({ text, wanted, got }) => `  ${JSON.stringify(text)}\n    ${wanted}\n    ${got.join(" ")}`);
    console.log([`${place}: ${list.length}`, ...lines].join("\n"));
  }
  expect([...wrong.keys()]).toEqual([]);
});
