import { HybridSelection, jsonObject, type ToolSelectionSettings } from "@toolingua/core/adapters";
import type { CallOptions, LanguageModel } from "../sdk.js";
import type { InnerModel } from "./inner-model.js";
import { NativeModel } from "./native-model.js";

/** A turn: its request, and the model that counts its tokens. */
interface SelectingTurn {
  call: CallOptions;
  inner: InnerModel;
}

/** The selection of a wrapped model's tools, which asks the model by native tool calling. */
export function hybridSelection(model: LanguageModel, settings: ToolSelectionSettings): HybridSelection<SelectingTurn> {
  const native = new NativeModel(model);
  return new HybridSelection(settings, async ({ call, inner }, { instruction, wish, tool }) => {
    // These are about the answer.
    const { responseFormat: _, stopSequences: __, includeRawChunks: ___, ...settings } = call;
    const { name, description = "", parameters } = tool;
    const request: CallOptions = {
      ...settings,
      prompt: [
        { role: "system", content: instruction },
        { role: "user", content: [{ type: "text", text: wish }] },
      ],
      tools: [{ type: "function", name, description, inputSchema: { ...Object(parameters) } }],
      toolChoice: { type: "tool", toolName: name },
    };
    const spend = inner.spend.bind(inner);
    const answer = await native.generate(request, spend);
    if (!answer) return undefined;
    spend(answer.usage);
    const selected = answer.content.find((part) => part.type === "tool-call" && part.toolName === name);
    return selected?.type === "tool-call" ? jsonObject(selected.input) : undefined;
  });
}
