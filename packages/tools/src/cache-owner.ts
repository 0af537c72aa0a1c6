const marks = new WeakMap<object, string>();
/** Of this process: a store may be shared with others. */
const process = crypto.randomUUID();
let count = 0;

/** A text that is the same for one object, and another for every other object, in every process. */
export function markOf(owner: object): string {
  let mark = marks.get(owner);
  if (mark === undefined) {
    mark = `${process}:${count++}`;
    marks.set(owner, mark);
  }
  return mark;
}
