import { canonicalJson } from "../../common/canonical-json.js";
import type { ReplyEvent, ToolCallError } from "../../types.js";
import type { TextOutput } from "../output/text-output.js";

/** Whether it is text beside the calls of a message's content, and no copied call. */
const isAnswer = (event: ReplyEvent) => event.type === "text" && event.reason === undefined;

const isCopy = (event: ReplyEvent) => event.type === "text" && event.reason === "copied-call";

/** The events of a trial, buffered until it is known whether they are those of calls. */
export class TrialEvents {
  /** The events so far. */
  readonly list: ReplyEvent[] = [];
  /** The number of events that were checked. */
  private checked = 0;
  /** Whether there is a call, also an invalid or a copied one. */
  private hasAny = false;
  /** Whether a valid call was checked. */
  private hasValid = false;

  /**
   * `opensReply`: whether the reply begins with them in the requested format; `isFenced`: whether they are objects of that
   * format in a fence, which may also be its answer.
   */
  constructor(
    private readonly opensReply: boolean,
    private readonly isFenced: boolean,
  ) {}

  text(text: string, reason?: "copied-call"): void {
    this.list.push({ type: "text", text, ...(reason && { reason }) });
  }

  /** Whether there is a valid call. */
  get hasCall(): boolean {
    return this.list.some(({ type }) => type === "call-end");
  }

  /** The name of the last call of an existing tool; undefined where there is none, or a copied call. */
  get startedName(): string | undefined {
    const start = this.list.findLast(({ type }) => type === "call-start");
    return start?.type === "call-start" && !this.list.some(isCopy) ? start.name : undefined;
  }

  /**
   * Whether they are calls of existing tools, or the answer in a fence of the requested format. `inProgram`: after the
   * assignment of a variable, where a call that is not read is no text.
   */
  areCalls(inProgram: boolean): boolean {
    const unchecked = this.list.slice(this.checked).filter((event) => event.type !== "dropped" && !isAnswer(event));
    this.checked = this.list.length;
    this.hasValid ||= unchecked.some((event) => event.type === "call-end");
    this.hasAny ||= unchecked.length > 0 || (this.isFenced && this.list.some(isAnswer));
    return (
      this.hasAny &&
      unchecked.every((event) => event.type !== "call-invalid" || this.isMistake(event.call.error, inProgram))
    );
  }

  /**
   * Whether an invalid call is a call nevertheless: among calls of existing tools in the requested format, a call of an unknown
   * tool is a mistake.
   */
  private isMistake({ code, ambiguous }: ToolCallError, inProgram: boolean): boolean {
    if (code === "invalid-arguments" || ambiguous || (inProgram && code === "malformed")) return true;
    return this.opensReply && (code === "malformed" || (code === "unknown-tool" && this.hasValid));
  }

  /** The calls, valid or not, each as a text that is the same for equal calls. */
  callTexts(): string[] {
    return this.list.flatMap((event) => {
      if (event.type === "call-end") return [canonicalJson([event.call.name, event.call.arguments])];
      return event.type === "call-invalid" ? [event.call.raw] : [];
    });
  }

  /** Emits them; if all calls are copied, `source`, which also has the wrapping around them. */
  emit(output: TextOutput, events: ReplyEvent[], source: string): void {
    if (this.list.every((event) => isCopy(event) || event.type === "dropped"))
      return output.text(source, "copied-call");
    output.markup();
    for (const event of this.list) {
      if (event.type === "text") output.text(event.text, event.reason);
      else events.push(event);
    }
    // It separates a text in the calls from the one after them.
    output.text(source.slice(source.trimEnd().length));
  }
}
