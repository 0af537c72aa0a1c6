/**
 * Calls a listener of the application. A rejection is ignored, since nobody waits for it and it would end the process.
 *
 * Errors: those that the listener throws.
 *
 * @example tell(onProgress, { server, tool, toolCallId, progress: 1 });
 */
export function tell<T>(listener: ((value: T) => unknown) | undefined, value: T): void {
  const given = listener?.(value);
  if (given instanceof Promise) given.catch(() => {});
}
