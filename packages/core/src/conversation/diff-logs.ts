import { diffArrays } from "diff/lib/diff/array.js";
import { canonicalJson } from "../common/canonical-json.js";
import { isObject } from "../common/plain-object.js";
import { checkLog } from "./check-record.js";
import type { ConversationRecord } from "./records.js";

/** A difference between two logs. A side that has no record is left out. */
export interface LogDifference {
  /** The index in the left log. For a record that only the right log contains: the index before which it would be. */
  index: number;
  left?: ConversationRecord;
  right?: ConversationRecord;
}

/**
 * The differences between two logs, as the shortest list of records that were removed, added or changed: one more call
 * does not make everything after it differ. A record and another of the same type in its place are one difference with
 * both sides.
 *
 * Logs with more than 2000 removed or added records are not aligned, because the time grows with the square of that
 * number: all records between the common beginning and the common end are then reported as different.
 *
 * Times, durations, tokens and ids are ignored (a call is identified by its tool and its position in the reply), and so
 * is the order in which parallel calls start and end.
 *
 * Errors: `ConversationLogError` (`bad-log`) for a value that is not a list of records.
 *
 * @example
 * const { log } = await replay(conversation.log, { model, tools, protocol: "hermes" });
 * diffLogs(conversation.log, log)[0]; // { index: 2, left: { type: "reply", … }, right: { type: "reply", … } }
 */
export function diffLogs(a: readonly ConversationRecord[], b: readonly ConversationRecord[]): LogDifference[] {
  for (const log of [a, b]) checkLog(log, "diffLogs");
  const differences: LogDifference[] = [];
  const left = comparable(a);
  const right = comparable(b);
  let at = 0;
  let gone: Comparable[] = [];
  let added: Comparable[] = [];
  const report = () => {
    for (const one of paired(gone, added, left[at]?.index ?? a.length)) differences.push(one);
    gone = [];
    added = [];
  };
  const parts =
    diffArrays(left, right, { comparator: isEqual, maxEditLength: MAX_EDITS }) ?? betweenTheEnds(left, right);
  for (const { value, removed, added: isAdded } of parts) {
    if (isAdded) added = value;
    else {
      if (removed) gone = value;
      else report();
      at += value.length;
    }
  }
  report();
  return differences;
}

/** The maximum number of removed and added records for which logs are aligned: about half a second. */
const MAX_EDITS = 2000;

const isEqual = (one: Comparable, other: Comparable) => one.text === other.text;

/** A correct difference, but not the shortest: the common beginning and end stay, everything between is replaced. */
function betweenTheEnds(left: Comparable[], right: Comparable[]) {
  const shorter = Math.min(left.length, right.length);
  let begin = 0;
  while (begin < shorter && isEqual(left[begin]!, right[begin]!)) begin++;
  let end = 0;
  while (end < shorter - begin && isEqual(left.at(-1 - end)!, right.at(-1 - end)!)) end++;
  const part = (value: Comparable[], removed: boolean, added: boolean) => ({ value, removed, added });
  return [
    part(left.slice(0, begin), false, false),
    part(left.slice(begin, left.length - end), true, false),
    part(right.slice(begin, right.length - end), false, true),
    part(left.slice(left.length - end), false, false),
  ];
}

/** Pairs removed and added records of the same type. `after`: the index after the removed records in the left log. */
function paired(gone: readonly Comparable[], added: readonly Comparable[], after: number): LogDifference[] {
  const differences: LogDifference[] = [];
  let taken = 0;
  const onlyRight = (until: number, index: number) => {
    for (; taken < until; taken++) differences.push({ index, right: added[taken]!.record });
  };
  /** Types that no record from `taken` on has. */
  const absent = new Set<string>();
  const next = (type: string): number => {
    for (let i = taken; i < added.length && !absent.has(type); i++) if (added[i]!.record.type === type) return i;
    absent.add(type);
    return -1;
  };
  for (const { index, record: left } of gone) {
    const same = next(left.type);
    if (same < 0) differences.push({ index, left });
    else {
      onlyRight(same, index);
      differences.push({ index, left, right: added[same]!.record });
      taken = same + 1;
    }
  }
  onlyRight(added.length, after);
  return differences;
}

/** A record, its index in the log, and the text by which it is compared. */
interface Comparable {
  index: number;
  record: ConversationRecord;
  text: string;
}

/** Fields that differ between two equal runs. */
const VOLATILE = new Set(["at", "ms", "usage", "tokens", "estimated", "idempotencyKey", "from"]);
const IDS = new Set(["id", "callId", "toolCallId"]);

/** Removes only the record's own fields: a tool or a parameter may have any of these names. */
const lasting = (record: ConversationRecord) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !VOLATILE.has(name)));

/**
 * The records in an order that does not depend on the duration of calls, with tool and position instead of call ids.
 */
function comparable(log: readonly ConversationRecord[]): Comparable[] {
  const calls = new Map<string, { place: number; name: string }>();
  for (const record of log) {
    if (record.type !== "reply") continue;
    for (const [place, { id, name = "" }] of [...record.calls, ...(record.invalid ?? [])].entries()) {
      calls.set(id, { place, name: `${name} ${place}` });
    }
  }
  const stable = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) return value.map((one) => stable(one));
    if (typeof value === "string" && IDS.has(key)) return calls.get(value)?.name ?? "";
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, name === "arguments" ? part : stable(part, name)]),
    );
  };
  const all = log.map((record, index) => ({ index, record, text: canonicalJson(stable(lasting(record))) }));
  const placeOf = ({ record }: Comparable) =>
    record.type === "call-started" || record.type === "call-settled" ? calls.get(record.callId)?.place : undefined;
  return sortedRuns(all, placeOf);
}

/** Sorts each run of neighbouring items that have a place by that place. */
function sortedRuns<T>(items: readonly T[], placeOf: (item: T) => number | undefined): T[] {
  const sorted: T[] = [];
  let run: { item: T; place: number }[] = [];
  const flush = () => {
    sorted.push(...run.sort((a, b) => a.place - b.place).map(({ item }) => item));
    run = [];
  };
  for (const item of items) {
    const place = placeOf(item);
    if (place === undefined) {
      flush();
      sorted.push(item);
    } else run.push({ item, place });
  }
  flush();
  return sorted;
}
