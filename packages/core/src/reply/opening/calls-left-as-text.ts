/**
 * The calls without a marker that turned out to be text. After one of them, others without a marker are text as well, unless
 * each repeats one that was left: of `Option A: … Option B: …`, only the last would run.
 */
export class CallsLeftAsText {
  private readonly left = new Set<string>();

  /** Whether these calls may run. */
  allows(calls: readonly string[]): boolean {
    return this.left.size === 0 || calls.every((call) => this.left.has(call));
  }

  /** Notes calls that are text. */
  leave(calls: readonly string[]): void {
    for (const call of calls) this.left.add(call);
  }

  /** Forgets all: they were in reasoning that the prompt opened, which only its closing tag shows. */
  clear(): void {
    this.left.clear();
  }
}
