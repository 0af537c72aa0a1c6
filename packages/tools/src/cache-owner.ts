const marks = new WeakMap<object, string>();
/** Identifies this process: a store may be shared with others. */
const process = crypto.randomUUID();
let count = 0;

/** A text that is unique to an object, across all processes. */
export function markOf(owner: object): string {
  let mark = marks.get(owner);
  if (mark === undefined) {
    mark = `${process}:${count++}`;
    marks.set(owner, mark);
  }
  return mark;
}
