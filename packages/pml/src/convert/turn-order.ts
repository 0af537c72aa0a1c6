/** Decides, message by message, where a turn begins: where a user speaks after an answer. */
export class TurnOrder {
  private isAnswered = false;

  /** Whether the message of this role begins a new turn. */
  begins(role: string): boolean {
    const begins = role === "user" && this.isAnswered;
    if (begins) this.isAnswered = false;
    this.isAnswered ||= role === "assistant" || role === "tool_output";
    return begins;
  }
}
