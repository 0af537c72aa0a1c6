import type * as Script from "@mlc-ai/web-xgrammar";
import { LogitMaskError } from "./errors.js";

export interface XGrammar {
  script: typeof Script;
  /** The memory of the WebAssembly instance. */
  memory: WebAssembly.Memory;
}

/** Globals that the script reads and sets. */
type Globals = typeof globalThis & {
  require?: unknown;
  __filename?: string;
  __dirname?: string;
  xgrammar?: typeof Script;
};

let loading: Promise<XGrammar> | undefined;

/** Loads xgrammar once; after a failure the next call tries again. Throws LogitMaskError `engine`. */
export function loadXGrammar(): Promise<XGrammar> {
  loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    if (cause instanceof LogitMaskError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LogitMaskError("engine", `@mlc-ai/web-xgrammar did not start: ${reason}`, { cause });
  });
  return loading;
}

/**
 * Loads `@mlc-ai/web-xgrammar`, a script declared as an ES module. An import leaves a global; in Node.js the script
 * lacks the globals of a CommonJS script.
 */
async function load(): Promise<XGrammar> {
  const globals: Globals = globalThis;
  const given = scriptScope();
  const added = Object.keys(given).filter((name) => !(name in globals));
  const watched = watchMemory();
  try {
    for (const name of added) Object.assign(globals, { [name]: given[name] });
    const module = (await import("@mlc-ai/web-xgrammar")) as Partial<typeof Script>;
    const script = module.GrammarMatcher ? (module as typeof Script) : globals.xgrammar;
    if (!script) throw new LogitMaskError("engine", "@mlc-ai/web-xgrammar was imported, but is not initialised.");
    // The first use initialises it.
    (await script.TokenizerInfo.createTokenizerInfo(["a"])).dispose();
    const memory = watched.memory();
    if (!memory) throw new LogitMaskError("engine", "The memory of @mlc-ai/web-xgrammar was not found.");
    return { script, memory };
  } finally {
    watched.stop();
    for (const name of added) Reflect.deleteProperty(globals, name);
  }
}

/** The CommonJS globals that the script needs in Node.js. */
function scriptScope(): Record<string, unknown> {
  if (typeof process === "undefined" || !process.getBuiltinModule) return {};
  const file = `${process.cwd()}/web-xgrammar.js`;
  return { require: process.getBuiltinModule("node:module").createRequire(file), __filename: file, __dirname: "" };
}

/**
 * Captures the memory of the WebAssembly instance created meanwhile. Masks are read from this memory: the package's own
 * functions are either asynchronous, which a logits processor cannot be, or ten times as slow.
 */
function watchMemory() {
  const { instantiate } = WebAssembly;
  let memory: WebAssembly.Memory | undefined;
  const watched = async (...args: Parameters<typeof instantiate>) => {
    const made = (await instantiate(...args)) as WebAssembly.WebAssemblyInstantiatedSource | WebAssembly.Instance;
    const { exports } = "instance" in made ? made.instance : made;
    memory ??= Object.values(exports).find((one) => one instanceof WebAssembly.Memory);
    return made;
  };
  WebAssembly.instantiate = watched as typeof instantiate;
  return {
    memory: () => memory,
    stop: () => {
      WebAssembly.instantiate = instantiate;
    },
  };
}
