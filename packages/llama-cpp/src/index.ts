export * from "./errors.js";
export { type TinyModelOptions, writeTinyModel } from "./tiny-model/index.js";
