/**
 * The result of work, or `undefined` after `ms` milliseconds. A later rejection is ignored.
 *
 * Errors: those of the work.
 *
 * @example await within(1000, response.text());
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(ms, 0));
  });
  // If the timer wins, nobody awaits this promise.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
