import { diffArrays } from "diff/lib/diff/array.js";
import { canonicalJson } from "../canonical-json.js";
import { isObject } from "../plain-object.js";
import { checkLog } from "./check-record.js";
import type { ConversationRecord } from "./records.js";

/** A place where two logs differ. A side that has no record there is left out. */
export interface LogDifference {
  /** The place in the left log; of a record that only the right log has, the place before which it would be there. */
  index: number;
  left?: ConversationRecord;
  right?: ConversationRecord;
}

/**
 * Where two logs differ, by the shortest list of records that were left out, added or changed: one more call does not make
 * all that follows it differ. A record and another of the same type in its place are one difference with both sides.
 *
 * Logs with more than 2000 records left out or added are not aligned, since the time for that grows with its square: between
 * the records that both logs begin with and those that both end with, all are reported as different.
 *
 * What differs though nothing else happened does not count: times, durations, tokens and ids (a call is known by its tool
 * and its place in its reply), and the order in which calls that run in parallel start and end.
 *
 * Errors: `ConversationLogError` (`bad-log`) for what is no list of records.
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
    diffArrays(left, right, { comparator: isEqual, maxEditLength: MOST_EDITS }) ?? betweenTheEnds(left, right);
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

/** How many records may be left out and added before the logs are no longer aligned: about half a second. */
const MOST_EDITS = 2000;

const isEqual = (one: Comparable, other: Comparable) => one.text === other.text;

/** A difference that is right, but not the shortest: what both begin and end with stays, all between is replaced. */
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

/** Records in the place of others: those of the same type belong together. `after`: the place after them in the left log. */
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

/** A record, its place in its log, and all that is compared of it. */
interface Comparable {
  index: number;
  record: ConversationRecord;
  text: string;
}

/** What differs though nothing else happened. */
const VOLATILE = new Set(["at", "ms", "usage", "tokens", "estimated", "idempotencyKey", "from"]);
const IDS = new Set(["id", "callId", "toolCallId"]);

/** Only the record's own fields are left out: a tool or a parameter may have any of their names. */
const lasting = (record: ConversationRecord) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !VOLATILE.has(name)));

/** The records in an order that does not depend on how long calls took, each call id replaced by what the call is. */
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

/** The items, those next to each other that have a place sorted by it. */
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
