/**
 * The calls without a marker that are text because words followed them. A later call without a marker is one only if it repeats
 * them: of several with words between them, as in `Option A: … Option B: …`, the last would otherwise be chosen.
 */
export class LeftCalls {
  private readonly known = new Set<string>();

  /** Whether these calls may run: none was left, or all of them are repetitions. */
  allow(calls: readonly string[]): boolean {
    return this.known.size === 0 || calls.every((call) => this.known.has(call));
  }

  leave(calls: readonly string[]): void {
    for (const call of calls) this.known.add(call);
  }

  /** Forgets the calls in reasoning that the prompt opened, which is known when it ends. */
  clear(): void {
    this.known.clear();
  }
}
