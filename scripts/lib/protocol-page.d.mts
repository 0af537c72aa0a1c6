import type { allFacts } from "../../packages/cli/src/protocols/facts.js";

export function protocolPage(all: readonly ReturnType<typeof allFacts>[]): string;
