import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

const testsOf = (packages: string) => [`packages/${packages}/{src,test}/**/*.test.ts`];
/** What takes long, or needs models: `npm run verify`. */
const excluded = [...configDefaults.exclude, ...(process.env.TOOLINGUA_VERIFY ? [] : ["**/*.verify.test.ts"])];

const sources = {
  "@toolingua/core/adapters": source("core/src/adapters/index.ts"),
  "@toolingua/core/bodies": source("core/src/bodies/index.ts"),
  "@toolingua/core/conversation/node": source("core/src/conversation/node/index.ts"),
  "@toolingua/core/conversation": source("core/src/conversation/index.ts"),
  "@toolingua/core/grammar": source("core/src/grammar/index.ts"),
  "@toolingua/core/providers": source("core/src/providers/index.ts"),
  "@toolingua/core/protocols": source("core/src/protocols"),
  "@toolingua/core/reply": source("core/src/reply/index.ts"),
  "@toolingua/core": source("core/src/index.ts"),
  "@toolingua/llama-cpp/ai-sdk": source("llama-cpp/src/ai-sdk.ts"),
  "@toolingua/llama-cpp/langchain": source("llama-cpp/src/langchain.ts"),
  "@toolingua/llama-cpp/llamaindex": source("llama-cpp/src/llamaindex.ts"),
  "@toolingua/llama-cpp": source("llama-cpp/src/index.ts"),
  "@toolingua/langchain/middleware": source("langchain/src/middleware.ts"),
  "@toolingua/langchain": source("langchain/src/index.ts"),
  "@toolingua/llamaindex": source("llamaindex/src/index.ts"),
  "@toolingua/ai-sdk": source("ai-sdk/src/index.ts"),
  "@toolingua/schema-from-types": source("schema-from-types/src/index.ts"),
  "@toolingua/tools": source("tools/src/index.ts"),
  "@toolingua/mcp": source("mcp/src/index.ts"),
  "@toolingua/endpoints": source("endpoints/src/index.ts"),
  "@toolingua/gateway": source("gateway/src/index.ts"),
  "@toolingua/openapi": source("openapi/src/index.ts"),
  "@toolingua/pml": source("pml/src/index.ts"),
  "@toolingua/logit-mask": source("logit-mask/src/index.ts"),
};

// Tests of libraries run on the sources; that the built packages load, as ESM and CommonJS, is a test of its own. Tests of
// programs run on the built packages, which load three times as fast.
export default defineConfig({
  test: {
    setupFiles: ["test/seed.ts"],
    // By default one core is left idle, half of a machine of two.
    maxWorkers: "100%",
    // A hang is found all the same; what is slow on a busy machine is not taken for one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      // Loading the core anew for each file would take longer than the tests of most files do. So what a file changes outside
      // itself (spies, the environment, servers), it changes back.
      {
        extends: true,
        resolve: { alias: sources },
        test: { name: "core", include: testsOf("core"), exclude: excluded, isolate: false },
      },
      {
        extends: true,
        resolve: { alias: sources },
        test: {
          name: "packages",
          include: [...testsOf("!(core|cli|llama-cpp)"), "{benchmarks,evals}/*/**/*.test.ts"],
          exclude: excluded,
          isolate: false,
        },
      },
      // What listens to signals, starts programs, replaces methods of the engine, or sets up the one llama.cpp of a process.
      {
        extends: true,
        test: {
          name: "programs",
          include: [...testsOf("{cli,llama-cpp}"), "examples/*/**/*.test.ts", "test/**/*.test.ts"],
          exclude: excluded,
        },
      },
    ],
  },
});
