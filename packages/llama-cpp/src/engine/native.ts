import type { Llama, LlamaLogLevel } from "node-llama-cpp";
import { LlamaCppError } from "../errors.js";
import { importNodeLlamaCpp } from "./import-native.js";
import { ThreadGovernor } from "./threads.js";

type NodeLlamaCpp = Awaited<ReturnType<typeof importNodeLlamaCpp>>;

/** Receives a line of llama.cpp's log. `level` is "fatal", "error", "warn" and so on down to "debug". */
export type LogListener = (level: `${LlamaLogLevel}`, message: string) => void;

/** The loaded llama.cpp. One for the whole process: loading it takes over half a second. */
export interface Native {
  module: NodeLlamaCpp;
  llama: Llama;
  threads: ThreadGovernor;
  listeners: Set<LogListener>;
  /** Runs the action. If it fails, returns the errors that llama.cpp logged meanwhile. */
  complaints<T>(action: () => Promise<T>): Promise<{ value: T } | { error: unknown; complaints: string[] }>;
}

let shared: Promise<Native> | undefined;

/**
 * Loads llama.cpp's CPU build. Nothing is compiled or downloaded.
 * Throws `engine-unavailable` if node-llama-cpp is not installed or has no binary for this machine.
 */
export function loadNative(): Promise<Native> {
  shared ??= load().catch((cause) => {
    shared = undefined;
    throw cause;
  });
  return shared;
}

async function load(): Promise<Native> {
  let module: NodeLlamaCpp;
  try {
    module = await importNodeLlamaCpp();
  } catch (cause) {
    throw new LlamaCppError(
      "engine-unavailable",
      "The embedded engine needs the package node-llama-cpp (3.22 or newer 3.x). Install it beside @toolingua/llama-cpp.",
      { cause },
    );
  }
  const listeners = new Set<LogListener>();
  let llama: Llama;
  try {
    llama = await module.getLlama({
      gpu: false,
      build: "never",
      skipDownload: true,
      maxThreads: 0, // no limit here: the governor sets one
      logLevel: module.LlamaLogLevel.warn,
      logger: (level, message) => {
        for (const listener of listeners) listener(level, message.trim());
      },
    });
  } catch (cause) {
    throw new LlamaCppError(
      "engine-unavailable",
      `node-llama-cpp has no ready-made CPU build for this machine (${process.platform} ${process.arch}). On Linux its builds need glibc; check that optional dependencies were installed.`,
      { cause },
    );
  }

  return {
    module,
    llama,
    threads: new ThreadGovernor(llama),
    listeners,
    async complaints(action) {
      const complaints: string[] = [];
      const listen: LogListener = (level, message) => {
        if (level === "error" || level === "fatal") complaints.push(message);
      };
      listeners.add(listen);
      try {
        return { value: await action() };
      } catch (error) {
        await new Promise((resolve) => setTimeout(resolve, 10)); // log lines arrive a moment after the error
        return { error, complaints };
      } finally {
        listeners.delete(listen);
      }
    },
  };
}
