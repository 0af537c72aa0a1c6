// node-llama-cpp is an ES module with top-level await: it can only be imported, never required, and tsc turns `import()`
// into `require()` when it writes CommonJS. This one line is kept out of tsc's reach, so both builds share it.
exports.importNodeLlamaCpp = () => import("node-llama-cpp");
