import { fileURLToPath } from "node:url";

/** The repository's folder: what the agent may read. (This file runs from examples/agent/dist.) */
export const repository = fileURLToPath(new URL("../../../", import.meta.url));
