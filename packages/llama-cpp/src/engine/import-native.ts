type NodeLlamaCpp = typeof import("node-llama-cpp");

/**
 * Imports node-llama-cpp from ES modules and from CommonJS. When tsc compiles to CommonJS, it turns `import()` into
 * `require()`, which cannot load an ES module with top-level await such as node-llama-cpp. So the CommonJS build hides
 * the import from tsc. (`vm.Script` with Node's default loader would work too, but prints a warning.)
 */
export async function importNodeLlamaCpp(): Promise<NodeLlamaCpp> {
  try {
    return await import("node-llama-cpp");
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith("ERR_REQUIRE")) throw error;
    return new Function('return import("node-llama-cpp")')();
  }
}
