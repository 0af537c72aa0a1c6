export { hermes } from "@toolingua/core/protocols/hermes";
export { llama3Json } from "@toolingua/core/protocols/llama3-json";
export { mistral } from "@toolingua/core/protocols/mistral";
export { qwen3Coder } from "@toolingua/core/protocols/qwen3-coder";
export { parseReply } from "@toolingua/core/reply";
