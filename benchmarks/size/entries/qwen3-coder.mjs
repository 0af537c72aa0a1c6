export { qwen3Coder } from "@toolingua/core/protocols/qwen3-coder";
export { parseReply } from "@toolingua/core/reply";
