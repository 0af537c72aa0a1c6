/** Imports node-llama-cpp, from ES modules and from CommonJS alike. */
export declare function importNodeLlamaCpp(): Promise<
  typeof import("node-llama-cpp", { with: { "resolution-mode": "import" }})
>;
