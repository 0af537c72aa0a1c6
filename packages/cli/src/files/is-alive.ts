/**
 * Whether there is a process with this number, whoever it belongs to.
 *
 * @example isAlive(process.pid); // true
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
