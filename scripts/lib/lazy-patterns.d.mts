export function lazyPatterns(code: string): string;
