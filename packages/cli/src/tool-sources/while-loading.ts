/** After how many milliseconds a module that still loads is mentioned. */
const SILENCE = 5000;

/** What ends the process without a word. */
const endings = ["exit", "reallyExit"] as const;

type Ending = (...code: (number | string | null)[]) => never;

/**
 * Loads a module, whose own code runs meanwhile. That may end the process, or wait for what never comes: both would end the
 * command without a word, so they are errors here. `onSilence` is called if it takes long.
 *
 * Errors: those of `load`; Error if the module calls `process.exit`, also in a callback, or can never finish.
 *
 * @example await whileLoading(() => import("./tools.js"), () => terminal.note("tools.js is still loading."));
 */
export async function whileLoading<T>(load: () => Promise<T>, onSilence: () => void): Promise<T> {
  // A timer that kept the process alive would hide that nothing else does.
  const silence = setTimeout(onSilence, SILENCE).unref();
  let onIdle = () => {};
  try {
    return await new Promise((resolve, reject) => {
      onIdle = () => reject(new Error("it never finishes loading: a top-level `await` waits for what never comes"));
      process.once("beforeExit", onIdle);
      const allowEndings = refuseEndings(reject);
      // Until then its code runs, also after it was refused to end the process.
      load().finally(allowEndings).then(resolve, reject);
    });
  } finally {
    process.off("beforeExit", onIdle);
    clearTimeout(silence);
  }
}

/** Throws when the process is to be ended, after `onRefused` has received the error. Returns what allows it again. */
function refuseEndings(onRefused: (error: Error) => void): () => void {
  const ways = process as unknown as Record<(typeof endings)[number], Ending>;
  const refused = new Set<unknown>();
  let isAllowed = false;
  // What a callback throws would end the process, though the error is reported already.
  const onUncaught = (error: unknown) => {
    if (!refused.has(error)) throw error;
  };
  const restored = endings.map((way) => {
    const original = ways[way];
    const replacement: Ending = (...code) => {
      // The module may have kept it.
      if (isAllowed) return original.apply(process, code);
      const error = new Error(`it calls process.${way}(${code.join()}) while it loads`);
      onRefused(error);
      // Not before: without a refusal, errors of callbacks end the process as always.
      if (refused.size === 0) process.on("uncaughtException", onUncaught);
      refused.add(error);
      throw error;
    };
    ways[way] = replacement;
    return () => {
      // The module may have put its own in its place.
      if (ways[way] === replacement) ways[way] = original;
    };
  });
  return () => {
    isAllowed = true;
    for (const restore of restored) restore();
    // Not at once: a promise that nobody handles is reported after this.
    setImmediate(() => process.off("uncaughtException", onUncaught));
  };
}
