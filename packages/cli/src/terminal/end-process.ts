// As they are before a module can change them.
const { exit } = process;
const { reallyExit } = process as { reallyExit?: unknown };

/**
 * Ends the process, also while a tools module loads, which must not end it (`whileLoading`).
 *
 * @example endProcess(70);
 */
export function endProcess(code = process.exitCode): never {
  Object.assign(process, { reallyExit });
  return exit(code);
}
