import { type ProtocolName, renderPrompt, type ToolChoice, type ToolStyle } from "@toolingua/core";
import type { ConstraintBackend } from "@toolingua/core/grammar";
import { turnOptionsFor } from "@toolingua/endpoints";
import { tools } from "./questions/tools.js";

/** A way of calling tools to be tested. */
export interface Candidate {
  /** The name in reports and in the state file. */
  id: string;
  /** Undefined: the server's own tools. */
  protocol?: ProtocolName;
  /** Whether the server constrains calls by a grammar. */
  constrained: boolean;
}

/** The settings of a probe. */
export interface Setting {
  /** `embedded`: in this process. Undefined: unknown. */
  backend?: ConstraintBackend | "embedded" | undefined;
  style: ToolStyle;
  toolChoice: Extract<ToolChoice, "auto" | "required">;
}

/** The formats with good results on models of other families in `evals/accuracy`, and a Python-like one. */
export const usualProtocols: readonly ProtocolName[] = ["hermes", "llama3-json", "xml", "pythonic"];

/**
 * The candidates for these formats: each unconstrained and, if the server supports it, constrained; and the server's
 * own tools.
 *
 * @example candidatesFor(["hermes"], { backend: "llama.cpp", style: "native", toolChoice: "auto" }).map(({ id }) => id);
 * // ["hermes", "hermes constrained"]
 */
export function candidatesFor(names: readonly ProtocolName[], setting: Setting): Candidate[] {
  return [...new Set(names)].flatMap((protocol) => {
    const free: Candidate = { id: protocol, protocol, constrained: false };
    return isConstrainable(protocol, setting)
      ? [free, { ...free, id: `${protocol} constrained`, constrained: true }]
      : [free];
  });
}

export const serverTools: Candidate = { id: "server tools", constrained: false };

/** The options of `generateWithTools` for a server, or for a model in this process. */
export const turnOptionsOf = (backend: Setting["backend"]) =>
  backend === "embedded" ? { backend: undefined, prefill: true } : turnOptionsFor(backend);

/** Whether calls can be constrained. */
function isConstrainable(protocol: ProtocolName, { backend, style, toolChoice }: Setting): boolean {
  if (backend === undefined) return false;
  const { constraint, fields } = renderPrompt({
    messages: [{ role: "user", content: "" }],
    tools: [tools.weather],
    ...{ protocol, style, toolChoice, constraint: true, backend: turnOptionsOf(backend).backend },
  });
  return constraint !== undefined || fields !== undefined;
}
