import type { Lookahead } from "../../notation/lookahead.js";
import type { Token } from "../../syntax/tokens.js";
import type { RepairCode } from "../../types.js";
import type { FormNode } from "../forms/forms.js";
import { keyAfterName, type NameAndKey } from "../forms/key-after-name.js";
import { lackAfterName, lineNameEnd, nameEnd, plainName } from "../forms/match-token.js";
import type { CallSequence } from "./call-sequence.js";

/** Where a name is expected: its token, and what follows it. */
interface NamePlace {
  token: Extract<Token, { kind: "name" }>;
  node: FormNode;
  calls: Pick<CallSequence, "takeName" | "isTool" | "planOf">;
}

interface CallName {
  name: string;
  end: number;
  /** The key of an argument that is written in one word with the name; its value follows. */
  key?: NameAndKey;
  /** The repair of a missing end of the name. */
  lack?: RepairCode | undefined;
}

/** The tool's name at an index, and where it ends. */
export function callNameAt(look: Lookahead, from: number, { token, node, calls }: NamePlace): CallName {
  const { text } = look;
  const end = token.line ? lineNameEnd(look, from, token.ends) || text.length : nameEnd(look, from, token.ends);
  const written = text.slice(from, end);
  const name = token.line ? plainName(written) : calls.takeName(written, node);
  const key = keyAfterName(name, { text, at: end, node, tools: calls });
  if (key) return { name: key.name, end: key.from, key };
  return { name, end, lack: lackAfterName(look, end, token.ends) };
}
