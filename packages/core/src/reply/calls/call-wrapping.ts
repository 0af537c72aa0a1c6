import { type Input, spaceEnd } from "../../notation/input.js";
import { decide } from "../../notation/lookahead.js";
import type { FormNode } from "../forms/forms.js";
import { strayFence, type Wrapping } from "../forms/wrapping.js";
import type { CallSequence } from "./call-sequence.js";

/** The code fence, section or quotes around a call or its arguments. */
export class CallWrapping {
  /** What ends it, if it is open. */
  end: string | undefined;

  constructor(private readonly host: CallSequence) {}

  /** Skips its beginning. */
  open(input: Input, { repair, from, close }: Wrapping): undefined {
    this.host.currentCall().repaired(repair);
    this.end = close;
    input.pos = from;
  }

  /** Skips its end, or that of a fence that was not opened. `node`: that of what follows. */
  pass(input: Input, node: FormNode): boolean | "more" {
    return decide(input, (look) => {
      const at = spaceEnd(input.text, input.pos);
      const end = this.end ?? strayFence(look, at, node);
      if (end === undefined || !look.has(end, at)) return () => false;
      return () => {
        if (this.end === undefined) this.host.currentCall().repaired("fence");
        input.pos = at + end.length;
        this.end = undefined;
        return true;
      };
    });
  }
}
