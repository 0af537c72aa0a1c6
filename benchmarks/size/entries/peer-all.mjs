export { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from "@ai-sdk-tool/parser";
