import type { allFacts, placeWords } from "../../packages/cli/src/protocols/facts.js";

export function protocolPage(all: readonly ReturnType<typeof allFacts>[], words: typeof placeWords): string;
