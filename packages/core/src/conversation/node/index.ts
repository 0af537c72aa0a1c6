export { type FileStoreOptions, fileStore } from "./file-store.js";
