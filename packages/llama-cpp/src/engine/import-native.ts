type NodeLlamaCpp = typeof import("node-llama-cpp");

/**
 * Imports node-llama-cpp, an ES module with top-level await, which cannot be required. tsc turns `import()` into
 * `require()` when it writes CommonJS, so there the import is kept out of its sight. (`vm.Script` with Node's default
 * loader does the same, but prints a warning that it is experimental.)
 */
export function importNodeLlamaCpp(): Promise<NodeLlamaCpp> {
  if (typeof require === "undefined") return import("node-llama-cpp");
  return new Function('return import("node-llama-cpp")')();
}
