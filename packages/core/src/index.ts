export { ProtocolError, RenderError, ToolinguaError } from "./errors.js";
export * from "./prompt/index.js";
export * from "./protocol.js";
export { getProtocol, type ProtocolName, protocolForModel, protocols } from "./protocols/index.js";
export * from "./reply/index.js";
export * from "./schema/index.js";
export * from "./turn/index.js";
export * from "./types.js";
