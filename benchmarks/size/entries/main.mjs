export { parseReply } from "@toolingua/core";
