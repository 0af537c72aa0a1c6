// The answers: one line of JSON per question in runs/NAME.jsonl, written immediately.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const runs = process.env.TOOLINGUA_RUNS || fileURLToPath(new URL("runs/", import.meta.url));

/** All records of that name: of NAME.jsonl and of all NAME.*.jsonl, which are other shards or from other machines. */
export function readRun(name) {
  const mine = (file) => file.startsWith(`${name}.`) && file.endsWith(".jsonl");
  const files = existsSync(runs) ? readdirSync(runs).filter(mine) : [];
  return files.flatMap((file) => readRecords(join(runs, file)));
}

/** Forgets the records of a run. */
export const forgetRun = (name) => rmSync(join(runs, `${name}.jsonl`), { force: true });

/** A line that was cut off when the run was stopped is left out: its question is asked again. */
function readRecords(path) {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

/** What makes two answers the same: the model, the cell, the question and the settings. */
export const keyOf = ({ model, cell, id, seed, maxTokens }) => [model, cell, id, seed, maxTokens].join("\n");

/** The records of a run to add to. `get(job)`: the record of that job, if it was answered. `add` keeps each once. */
export function openRun(name, { index, count }) {
  mkdirSync(runs, { recursive: true });
  const path = join(runs, `${name}${count > 1 ? `.${index}-of-${count}` : ""}.jsonl`);
  // An incomplete line stays on its own line.
  if (existsSync(path) && !readFileSync(path, "utf8").endsWith("\n")) appendFileSync(path, "\n");
  const known = new Map(readRun(name).map((record) => [keyOf(record), record]));
  return {
    get: (job) => known.get(keyOf(job)),
    add(record) {
      if (known.has(keyOf(record))) return;
      appendFileSync(path, `${JSON.stringify(record)}\n`);
      known.set(keyOf(record), record);
    },
  };
}
