export { OpenApiCallError, type OpenApiCallErrorCode, OpenApiDocumentError } from "./errors.js";
export { type OpenApiOptions, type OpenApiTool, openApiTools } from "./openapi-tools.js";
export type { Operation } from "./operation.js";
export type { ApiRequest } from "./request.js";
