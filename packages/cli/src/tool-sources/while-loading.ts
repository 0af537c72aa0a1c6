/** After how many milliseconds a module that still loads is mentioned. */
const SILENCE = 5000;

/**
 * Loads a module, whose own code runs meanwhile. That may end the process, or wait for what never comes: both would end the
 * command without a word, so they are errors here. `onSilence` is called if it takes long.
 *
 * Errors: those of `load`; Error if the module calls `process.exit`, or can never finish.
 *
 * @example await whileLoading(() => import("./tools.js"), () => terminal.note("tools.js is still loading."));
 */
export async function whileLoading<T>(load: () => Promise<T>, onSilence: () => void): Promise<T> {
  const { exit } = process;
  // A timer that kept the process alive would hide that nothing else does.
  const silence = setTimeout(onSilence, SILENCE).unref();
  let onIdle = () => {};
  try {
    return await new Promise((resolve, reject) => {
      onIdle = () => reject(new Error("it never finishes loading: a top-level `await` waits for what never comes"));
      process.once("beforeExit", onIdle);
      process.exit = (code) => {
        throw new Error(`it calls process.exit(${code ?? ""}) while it loads`);
      };
      load().then(resolve, reject);
    });
  } finally {
    process.exit = exit;
    process.off("beforeExit", onIdle);
    clearTimeout(silence);
  }
}
