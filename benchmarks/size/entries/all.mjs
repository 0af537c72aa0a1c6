export { protocols } from "@toolingua/core/protocols";
export { parseReply } from "@toolingua/core/reply";
