export type { ApiAnswer } from "./call.js";
export type { Credential, Credentials } from "./credentials.js";
export { OpenApiCallError, type OpenApiCallErrorCode, OpenApiDocumentError } from "./errors.js";
export type { ApiFile, ApiFiles, FileContent } from "./files.js";
export { type OpenApiTool, openApiTools } from "./openapi-tools.js";
export type { Operation } from "./operation.js";
export type { ChooseMediaType } from "./operation-body.js";
export type { OpenApiOptions } from "./options.js";
export type { ApiRequest } from "./request.js";
