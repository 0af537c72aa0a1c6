import type { Input } from "../notation/input.js";
import type { CallSequence } from "./calls/call-sequence.js";
import type { Compiled } from "./opening/compile.js";
import type { Openings } from "./opening/openings.js";
import type { TextOutput } from "./output/text-output.js";

/** The parts of a parser that its open call and its open span share. */
export interface ReplyParts {
  input: Input;
  output: TextOutput;
  compiled: Compiled;
  calls: CallSequence;
  openings: Openings;
}
