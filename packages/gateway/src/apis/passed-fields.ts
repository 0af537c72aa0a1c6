import { z } from "zod";
import { misspeltWord } from "./misspelt.js";

// Fields of sampling and of the chat template that servers with OpenAI's completions know. They are passed on unchanged.
// Fields by which the server would read calls itself, constrain the reply or change the form of its text never are.

/** Of OpenAI's API. */
const openai = ["top_p", "frequency_penalty", "presence_penalty", "logit_bias", "reasoning_effort"];

/**
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server/ and
 * https://docs.sglang.io/basic_usage/sampling_params.html
 */
const vllm = [
  ...["top_k", "min_p", "repetition_penalty", "min_tokens", "ignore_eos", "stop_token_ids", "bad_words"],
  ...["thinking_token_budget", "chat_template_kwargs"],
];

/** https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md */
const llamaCpp = [
  ...["repeat_penalty", "repeat_last_n", "typical_p", "top_n_sigma", "dynatemp_range", "dynatemp_exponent"],
  ...["mirostat", "mirostat_tau", "mirostat_eta", "xtc_probability", "xtc_threshold", "samplers"],
  ...["dry_multiplier", "dry_base", "dry_allowed_length", "dry_penalty_last_n", "dry_sequence_breakers"],
];

/** The names of the fields that are passed on. */
export const passedFields: readonly string[] = [...openai, ...vllm, ...llamaCpp];

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** How much a model reasons. Servers have more words, and numbers, than OpenAI: only a misspelling is refused. */
export const effort = z
  .union([z.string(), z.number()], { error: 'must be a word such as "low"' })
  .superRefine((value, { addIssue }) => {
    const meant = typeof value === "string" ? misspeltWord(value, EFFORTS) : undefined;
    if (meant) addIssue({ code: "custom", message: `there is no effort "${value}". Did you mean "${meant}"?` });
  })
  .nullish();

/** The parameters of the function that renders a template: with these, it would render another prompt. */
const RENDERING = new Set([
  ...["conversation", "messages", "tools", "documents", "chat_template", "add_generation_prompt"],
  ...["continue_final_message", "tokenize", "padding", "truncation", "max_length", "return_tensors", "return_dict"],
  ...["return_assistant_tokens_mask", "tokenizer_kwargs"],
]);

const templateValue = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: "must be a string, a number, true or false",
});

/** Variables of the chat template, such as `enable_thinking`. */
export const templateVariables = z
  .record(z.string(), templateValue, { error: "must be an object of variables of the chat template" })
  .superRefine((variables, { addIssue }) => {
    for (const name of Object.keys(variables))
      if (RENDERING.has(name))
        addIssue({
          code: "custom",
          path: [name],
          message: "this is not a variable of a chat template, as the gateway writes the prompt.",
        });
  })
  .nullish();

/** The fields of a request that are passed to the upstream. */
export function fieldsOf(body: Record<string, unknown>): Record<string, unknown> | undefined {
  const fields = passedFields.flatMap((name) => (body[name] == null ? [] : [[name, body[name]] as const]));
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** Whether the variables of the template turn the model's reasoning off, so that the template opens none. */
export const isThinkingOff = (variables: Record<string, unknown> | null | undefined): boolean =>
  variables?.enable_thinking === false || variables?.thinking === false;
