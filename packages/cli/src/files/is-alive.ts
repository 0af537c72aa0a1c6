import { codeOf } from "../terminal/errors.js";
/**
 * Whether a process with this id exists, of any user.
 *
 * @example isAlive(process.pid); // true
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
