import { describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { gatewayBefore, type Options } from "./support/gateway.js";

const messages = [{ role: "user", content: "Hello" }];
const apis = {
  chat: { path: "/v1/chat/completions", asked: { model: "m", messages } },
  responses: { path: "/v1/responses", asked: { model: "m", input: "Hello" } },
  messages: { path: "/v1/messages", asked: { model: "m", messages, max_tokens: 9 } },
};
type ApiName = keyof typeof apis;

async function ask(api: ApiName, fields: object, model: Options["model"] = {}, text = "Hi") {
  const { post, upstream } = await gatewayBefore([stream(reply(text))], { model });
  const answer = await post(apis[api].path, { ...apis[api].asked, ...fields });
  const body = (await answer.json()) as { error: { message: string; param?: string }; choices: { message: object }[] };
  return { status: answer.status, body, sent: upstream.requests[0]?.body ?? {} };
}

const sampling = {
  ...{ top_p: 0.9, top_k: 5, min_p: 0.1, repetition_penalty: 1.1, min_tokens: 3, ignore_eos: true },
  ...{ stop_token_ids: [7], frequency_penalty: 1, presence_penalty: 1, repeat_penalty: 1.2, xtc_probability: 0.5 },
  chat_template_kwargs: { enable_thinking: false },
};

describe("fields of sampling and of the template", () => {
  it.each([
    ["chat", { ...sampling, reasoning_effort: "high", logit_bias: { 5: 1 } }],
    ["chat", { ...sampling, reasoning_effort: 0.3 }],
    ["responses", sampling],
  ] as const)("are passed on: %s", async (api, fields) => {
    expect(await ask(api, fields)).toMatchObject({ status: 200, sent: fields });
  });

  it("the effort of Responses becomes the field of completions", async () => {
    const { sent } = await ask("responses", { reasoning: { effort: "low", summary: "auto" } });
    expect(sent).toMatchObject({ reasoning_effort: "low" });
    expect(sent).not.toHaveProperty("reasoning");
  });

  it("the variables of the template are added to those of the configuration", async () => {
    const fields = { chat_template_kwargs: { enable_thinking: true, lang: "no" }, top_k: 1, seed: 1 };
    const asked = { chat_template_kwargs: { enable_thinking: false }, top_k: 2 };
    expect((await ask("chat", asked, { fields })).sent).toMatchObject({
      chat_template_kwargs: { enable_thinking: false, lang: "no" },
      top_k: 2,
      seed: 1,
    });
  });

  it("the limit and the sampling of a request come before those of the configuration", async () => {
    const fields = { max_tokens: 5, max_completion_tokens: 6, temperature: 0.1, seed: 1, top_p: 0.5, min_p: 0.2 };
    const { sent } = await ask("chat", { max_tokens: 99, temperature: 1.5, seed: 77, top_p: 0.9 }, { fields });
    expect(sent).toMatchObject({ max_tokens: 99, temperature: 1.5, seed: 77, top_p: 0.9, min_p: 0.2 });
    expect(sent).not.toHaveProperty("max_completion_tokens");
    expect((await ask("chat", {}, { fields })).sent).toMatchObject(fields);
  });

  it("a template without thinking opens none", async () => {
    const asked = { chat_template_kwargs: { enable_thinking: false } };
    const { body } = await ask("chat", asked, { startWithReasoning: true }, "It is sunny.");
    expect(body.choices[0]?.message).toMatchObject({ content: "It is sunny." });
  });

  it.each([
    { grammar: "root ::= x", json_schema: {}, guided_json: {}, structured_outputs: {}, regex: "a", ebnf: "root ::= x" },
    { parse_tool_calls: true, chat_template: "x", continue_final_message: true, add_generation_prompt: false },
    { skip_special_tokens: true, separate_reasoning: true, include_stop_str_in_output: true, echo: true },
    { allowed_token_ids: [1], use_beam_search: true, priority: -9, documents: [{}] },
  ])("but none by which the server would read or shape the reply: %j", async (fields) => {
    const { status, sent } = await ask("chat", fields, { backend: "vllm" });
    expect(status).toBe(200);
    for (const name of Object.keys(fields).filter((one) => one !== "skip_special_tokens"))
      expect(sent).not.toHaveProperty(name);
    expect(sent).toMatchObject({ skip_special_tokens: false });
  });

  it.each([
    [{ chat_template_kwargs: { tools: [{}] } }, "chat_template_kwargs.tools"],
    [{ chat_template_kwargs: { tools: "x" } }, "chat_template_kwargs.tools"],
    [{ chat_template_kwargs: { chat_template: "x" } }, "chat_template_kwargs.chat_template"],
    [{ chat_template_kwargs: "x" }, "chat_template_kwargs"],
    [{ reasoning_effort: {} }, "reasoning_effort"],
  ])("nor by which the template would: %j is refused", async (fields, param) => {
    expect(await ask("chat", fields)).toMatchObject({ status: 400, body: { error: { param } }, sent: {} });
  });
});

describe("a misspelt field is refused", () => {
  it.each<[ApiName, object, string, string]>([
    ["chat", { temprature: 1 }, "temprature", "temperature"],
    ["chat", { tool_chioce: "required" }, "tool_chioce", "tool_choice"],
    ["chat", { toolChoice: "required" }, "toolChoice", "tool_choice"],
    ["chat", { respnse_format: { type: "json_object" } }, "respnse_format", "response_format"],
    ["chat", { maxTokens: 5 }, "maxTokens", "max_tokens"],
    ["chat", { tool: [] }, "tool", "tools"],
    ["chat", { repetiton_penalty: 1 }, "repetiton_penalty", "repetition_penalty"],
    ["chat", { stream_options: { include_usge: true } }, "stream_options.include_usge", "include_usage"],
    ["responses", { instuctions: "Be kind." }, "instuctions", "instructions"],
    ["responses", { max_ouput_tokens: 5 }, "max_ouput_tokens", "max_output_tokens"],
    ["responses", { text: { formt: { type: "json_object" } } }, "text.formt", "format"],
    ["responses", { reasoning: { efort: "low" } }, "reasoning.efort", "effort"],
    ["messages", { stop_sequence: ["x"] }, "stop_sequence", "stop_sequences"],
    ["messages", { sytem: "Be kind." }, "sytem", "system"],
    ["messages", { output_config: { fromat: {} } }, "output_config.fromat", "format"],
  ])("%s: %j", async (api, fields, param, meant) => {
    const { status, body, sent } = await ask(api, fields);
    expect([status, body.error.message, sent]).toEqual([
      400,
      `\`${param}\`: there is no such field. Did you mean "${meant}"?`,
      {},
    ]);
  });

  it.each<[ApiName, object, string]>([
    ["responses", { max_tokens: 5 }, "max_output_tokens"],
    ["responses", { max_completion_tokens: 5 }, "max_output_tokens"],
    ["responses", { response_format: { type: "json_object" } }, "text.format"],
    ["responses", { response_format: { type: "json_object" }, text: { verbosity: "low" } }, "text.format"],
    ["responses", { input: undefined, messages }, "input"],
    ["responses", { functions: [] }, "tools"],
    [
      "chat",
      { tool_choice: { type: "function", function: { name: "f" }, disable_parallel_tool_use: true } },
      "parallel_tool_calls",
    ],
    ["responses", { system: "Be kind." }, "instructions"],
    ["chat", { max_output_tokens: 5 }, "max_completion_tokens"],
    ["chat", { messages: undefined, input: "Hello" }, "messages"],
    ["messages", { max_tokens: undefined, max_completion_tokens: 5 }, "max_tokens"],
    ["messages", { stop: ["x"] }, "stop_sequences"],
    ["messages", { response_format: { type: "json_object" } }, "output_config.format"],
    ["messages", { instructions: "Be kind." }, "system"],
    ["messages", { functions: [{ name: "a" }] }, "tools"],
    ["messages", { function_call: "auto" }, "tool_choice"],
    ["messages", { text: { format: { type: "json_object" } } }, "output_config.format"],
    ["messages", { parallel_tool_calls: false }, "tool_choice.disable_parallel_tool_use"],
    ["responses", { system: "Be kind." }, "instructions"],
    ["responses", { output_config: { format: { type: "json_schema", schema: {} } } }, "text.format"],
    ["chat", { stop_sequences: ["x"] }, "stop"],
    ["chat", { output_config: { format: { type: "json_schema", schema: {} } } }, "response_format"],
    ["chat", { output_format: { type: "json_schema", schema: {} } }, "response_format"],
    ["chat", { text: { format: { type: "json_object" } } }, "response_format"],
  ])("and so is a field of another API that has another name here: %s: %j", async (api, fields, here) => {
    const { status, body, sent } = await ask(api, fields);
    const message = expect.stringMatching(/^`([\w.]+)` is a field of another API\. Here it is /) as string;
    expect([status, body.error.message, sent]).toEqual([400, message, {}]);
    expect(body.error.message).toContain(`Here it is \`${here}\`.`);
    if (api !== "messages") expect(body.error).toMatchObject({ code: "unknown_parameter" });
  });

  it.each<[ApiName, object]>([
    ["responses", { max_tokens: 5, max_output_tokens: 5 }],
    ["responses", { response_format: {}, text: { format: { type: "text" } } }],
    ["responses", { messages: null, max_tokens: null }],
    ["messages", { max_output_tokens: 5 }],
    ["messages", { parallel_tool_calls: true, n: 1, reasoning_effort: null }],
    ["messages", { instructions: "", response_format: { type: "text" } }],
    ["chat", { text: { format: { type: "text" } } }],
    ["messages", { thinking: { type: "enabled", budget_tokens: 1024 }, output_config: { effort: "low" } }],
    ["responses", { n: 1, stop: [], stop_sequences: null }],
    ["chat", { thinking: { type: "disabled" }, reasoning: { exclude: true }, output_config: {}, text: {} }],
    ["chat", { reasoning: { effort: "low" }, previous_response_id: null }],
  ])("but not beside the right one, or if it is null: %s: %j", async (api, fields) => {
    expect(await ask(api, fields)).toMatchObject({ status: 200 });
  });

  it.each<[ApiName, object, string, string]>([
    ["chat", { system: "Be kind." }, "system", 'send a message with the role "system"'],
    ["chat", { instructions: "Be kind." }, "instructions", 'send a message with the role "system"'],
    ["chat", { previous_response_id: "r" }, "previous_response_id", "send the whole conversation as `messages`"],
    ["responses", { stop: "x" }, "stop", "Responses has no stop sequences"],
    ["responses", { stop_sequences: ["x"] }, "stop_sequences", "Responses has no stop sequences"],
    ["responses", { n: 2 }, "n", "send the request as often as you need answers"],
    ["responses", { top_logprobs: 3 }, "top_logprobs", "calls are read from the model's text"],
    ["responses", { include: ["message.output_text.logprobs"] }, "include", "calls are read from the model's text"],
  ])("nor is one accepted that cannot be served: %s: %j", async (api, fields, param, words) => {
    const { status, body, sent } = await ask(api, fields);
    expect([status, body.error.message, sent]).toEqual([400, expect.stringContaining(words), {}]);
    expect(body.error).toMatchObject({ param, code: "unsupported_parameter" });
  });

  it.each<[object, string]>([
    [{ reasoning_effort: "low" }, "`reasoning_effort` is not supported: "],
    [{ n: 2 }, "`n` is not supported: "],
    [{ previous_response_id: "r" }, "`previous_response_id` is not supported: "],
  ])("nor in Messages: %j", async (fields, words) => {
    const { status, body, sent } = await ask("messages", fields);
    expect([status, body.error.message, sent]).toEqual([400, expect.stringContaining(words), {}]);
  });

  it("and one that asks for nothing is", async () => {
    const include = ["reasoning.encrypted_content"];
    expect(await ask("responses", { top_logprobs: 0, include, background: false })).toMatchObject({ status: 200 });
  });

  it.each<[ApiName, object, string]>([
    ["chat", { reasoning_effort: "hgh" }, '`reasoning_effort`: there is no effort "hgh". Did you mean "high"?'],
    [
      "responses",
      { reasoning: { effort: "meduim" } },
      '`reasoning.effort`: there is no effort "meduim". Did you mean "medium"?',
    ],
    [
      "responses",
      { text: { format: { type: "json_schma", name: "a", schema: {} } } },
      '`text.format.type`: there is no type "json_schma". Did you mean "json_schema"?',
    ],
    [
      "messages",
      { output_config: { format: { type: "json_schma", schema: {} } } },
      '`output_config.format.type`: there is no type "json_schma". Did you mean "json_schema"?',
    ],
  ])("and so is a misspelt value: %s: %j", async (api, fields, words) => {
    const { status, body, sent } = await ask(api, fields);
    expect([status, body.error.message, sent]).toEqual([400, expect.stringContaining(words), {}]);
  });

  // Fields of OpenAI, Anthropic, OpenRouter, LiteLLM, Ollama, vLLM, SGLang, llama.cpp, Mistral and others.
  it.each<[ApiName, string]>([
    [
      "chat",
      `audio cache_key cache_prompt caching custom_params debug extra_key format frequency id id_slot image_config include
      include_reasoning keep_alive length_penalty lora max_length max_price metadata min_length min_new_tokens modalities mode
      models mm_processor_kwargs n_keep n_predict n_probs options parallel plugins post_sampling_probs prediction prefix
      preset presence priority prompt_cache_key prompt_cache_retention provider random_seed reasoning reasoning_budget
      reasoning_format reasoning_split request_id response_fields return_progress rid route safe_prompt safety_identifier search
      service_tier session_id sort stops store structured stream_mode stop_regex t_max_predict_ms tags task text
      tfs_z think thinking timings_per_token tool_config tool_resources top_a top_logprobs top_n trace transforms truncate usage
      user verbosity watermarking web_search_options`,
    ],
    [
      "responses",
      `client_metadata context_management include max_tool_calls metadata moderation prompt_cache_key
      prompt_cache_options prompt_cache_retention provider safety_identifier service_tier stream_options
      truncation user verbosity`,
    ],
    [
      "messages",
      `anthropic_beta anthropic_version betas cache_control container context_management diagnostics effort fallbacks
      inference_geo mcp_servers metadata service_tier speed task_budget user_profile_id`,
    ],
  ])("but no field of another server is: %s", async (api, names) => {
    const fields = Object.fromEntries(names.split(/\s+/).map((name) => [name, {}]));
    const { status, body } = await ask(api, { ...fields, ...(api === "responses" && { verbosity: "low" }) });
    expect([status, body.error?.message]).toEqual([200, undefined]);
  });

  it("nor one beside the right field", async () => {
    expect(await ask("chat", { temprature: 1, temperature: 0 })).toMatchObject({ status: 200 });
  });
});
