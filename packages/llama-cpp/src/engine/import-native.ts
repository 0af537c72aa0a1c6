type NodeLlamaCpp = typeof import("node-llama-cpp");

/**
 * Imports node-llama-cpp from ES modules and from CommonJS. tsc turns `import()` into `require()` when it writes
 * CommonJS, and node-llama-cpp, an ES module with top-level await, cannot be required: then the import is made out of
 * tsc's sight. (`vm.Script` with Node's default loader could do it too, but prints a warning.)
 */
export async function importNodeLlamaCpp(): Promise<NodeLlamaCpp> {
  try {
    return await import("node-llama-cpp");
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith("ERR_REQUIRE")) throw error;
    return new Function('return import("node-llama-cpp")')();
  }
}
