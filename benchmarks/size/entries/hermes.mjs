export { hermes } from "@toolingua/core/protocols/hermes";
export { parseReply } from "@toolingua/core/reply";
