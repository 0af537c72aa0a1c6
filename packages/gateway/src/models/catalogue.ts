import { claudeAlias, type ModelList } from "./model-list.js";
import type { ServedModel } from "./served-model.js";

// GET /v1/models for OpenAI's clients, Anthropic's and Codex: one answer has the fields of all three.

/** One model, with OpenAI's and Anthropic's fields, and its context in tokens, which neither of them has. */
export function modelEntry({ name, contextWindow }: ServedModel, created: number, id = name): object {
  return {
    id,
    object: "model",
    created,
    owned_by: "toolingua",
    type: "model",
    display_name: name,
    created_at: new Date(created * 1000).toISOString(),
    context_window: contextWindow,
  };
}

/** All models. `forAnthropic`: with names that Anthropic's clients show. */
export function catalogue({ models }: ModelList, created: number, forAnthropic: boolean): object {
  const idOf = ({ name }: ServedModel) => (forAnthropic ? claudeAlias(name) : name);
  return {
    object: "list",
    data: models.map((model) => modelEntry(model, created, idOf(model))),
    has_more: false,
    first_id: models[0] ? idOf(models[0]) : null,
    last_id: models.length > 0 ? idOf(models.at(-1)!) : null,
    models: models.map(codexEntry),
  };
}

/** A model's entry for Codex. */
const codexEntry = ({ name, contextWindow, vision }: ServedModel, priority: number): object => ({
  slug: name,
  display_name: name,
  description: null,
  context_window: contextWindow,
  max_context_window: contextWindow,
  effective_context_window_percent: 95,
  shell_type: "shell_command",
  visibility: "list",
  supported_in_api: true,
  priority,
  supported_reasoning_levels: [],
  default_reasoning_level: null,
  supports_reasoning_summaries: true,
  default_reasoning_summary: "auto",
  support_verbosity: false,
  base_instructions: "",
  apply_patch_tool_type: null,
  web_search_tool_type: "text",
  truncation_policy: { mode: "tokens", limit: 10_000 },
  supports_parallel_tool_calls: true,
  supports_image_detail_original: false,
  experimental_supported_tools: [],
  input_modalities: vision ? ["text", "image"] : ["text"],
  additional_speed_tiers: [],
  service_tiers: [],
});
