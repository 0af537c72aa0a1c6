import type { CopyWatch } from "./copy-watch.js";
import { LineMarks } from "./line-marks.js";
import { SourceWatch } from "./source-watch.js";
import type { TextIndex } from "./text-index.js";

/** Compares the source of a call with untrusted text as it is, and without the marks before its lines. */
export class FormsWatch implements CopyWatch {
  private readonly whole: SourceWatch;
  private readonly unmarked: SourceWatch;
  private readonly marks = new LineMarks();

  constructor(untrusted: TextIndex) {
    this.whole = new SourceWatch(untrusted);
    this.unmarked = new SourceWatch(untrusted);
  }

  begin(unmarked: boolean): void {
    this.marks.begin();
    this.whole.begin(unmarked);
    this.unmarked.begin(unmarked);
  }

  goOn(): void {
    this.marks.begin();
    this.whole.goOn();
    this.unmarked.goOn();
  }

  read(piece: string, isLast = false): void {
    this.whole.read(piece);
    if (this.unmarked.mayBeCopy) this.unmarked.read(this.marks.read(piece, isLast));
  }

  get mayBeCopy(): boolean {
    return this.whole.mayBeCopy || this.unmarked.mayBeCopy;
  }

  isCopy(): boolean {
    this.read("", true);
    return this.whole.isCopy() || this.unmarked.isCopy();
  }
}
