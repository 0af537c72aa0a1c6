export { hermesProtocol } from "@ai-sdk-tool/parser";
