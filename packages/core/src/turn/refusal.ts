/** What a model that was given tools refuses: tools at all, or only to be told which to call. */
export type ToolRefusal = "tools" | "choice";

/** Errors that say nothing of tools, whatever their text: keys, money, rates. */
const OTHER_STATUS = new Set([401, 402, 407, 408, 429]);
/** Said of what a key may not do, and by some of what a model cannot: only the second speaks of support. */
const FORBIDDEN = 403;
const SUPPORT = /support/i;

/** Tools or calls as such, said of a model or a server; not a certain tool (`tools[0]`, `function 'add'`, `tool_call_id`). */
const TOOLS =
  /\b(?:tools|tool[ _-]?(?:calls?|calling|use|usage|choice|config|support)|functions?|function[ _-]call(?:s|ing)?)\b(?!\[|\.\d|\s*['"`]?\w+['"`]?:)/i;
const CHOICE = /\btool[ _-]?choice\b/i;
const NOT = new RegExp(
  [
    String.raw`\b(?:(?:does|do|is|are|was|may|must) ?(?:not|n't)|doesn't|don't|isn't|aren't|cannot|can't)(?: \w+){0,2} (?:support|enable|available|allow|implement|accept|permit|compatible)`,
    String.raw`\bnot (?:yet )?(?:supported|enabled|available|allowed|implemented|permitted|compatible)`,
    String.raw`\b(?:cannot|can't|unable to|not able to) (?:call|use) (?:tools|functions)\b`,
    String.raw`\bnot a valid (?:parameter|field|argument|option)\b`,
    String.raw`unsupported|\bdisabled\b|\bno (?:\w+ )+supports?\b|\bthat support\b|\brequires? --|\bonly supported`,
    String.raw`\b(?:only|must) (?:be |supports? )?['"${"`"}]?(?:auto|none)\b|\bsupported (?:\w+ )?values\b`,
    String.raw`\bunrecognized|\bunknown (?:field|parameter|name|argument)`,
  ].join("|"),
  "i",
);
/** Complaints about one tool, its schema or the history: another way of calling would not mend them. */
const OF_ONE_TOOL =
  /\bschema\b|\btools?[[.]\d|\b(?:tools?|functions?) (?:named |called )?['"`][^'"`]+['"`]|\b(?:tools?|functions?) (?:named|called) |\btool_call_id\b|\btool_calls\b|\btool messages?\b|\brole 'tool'/i;
/** Said of a way to call tools, or of what was asked: tools as such are taken. */
const OF_ANOTHER_THING =
  /\bstrict\b|\bpolic(?:y|ies)\b|\bsafety\b|\bunsupported (?:value|parameter)s?: ['"`](?!tool|function)/i;
/** Said of something else beside tools, or of how many: fewer, or alone, they are taken. */
const OF_A_COMBINATION =
  /\b(?:with|when|while|alongside|combin(?:ed|ing|ation)) (?:\w+ ){0,2}?(?:tools|functions|(?:tool|function)[ _-](?:calls|calling|use))\b|\b(?:tools|functions) (?:with|together)\b|\b(?:more|fewer|less) than \d|\bat most \d|\bup to \d/i;
const PARALLEL = /\bparallel[ _-](?:tool|function)[ _-](?:calls?|calling|use)\b/gi;

/**
 * Whether an error says that the model, or the server in front of it, takes no tools; `undefined` for any other error.
 *
 * Providers agree on no code for it, so the words decide. Seen with: Ollama ("… does not support tools"), vLLM ('"auto"
 * tool choice requires --enable-auto-tool-choice …'), llama.cpp ("tools param requires --jinja flag"), Google ("Function
 * calling is not enabled for models/gemma-…"), DeepSeek ("deepseek-reasoner does not support Function Calling", "… this
 * tool_choice"), OpenRouter ("No endpoints found that support tool use"), Bedrock ("This model doesn't support tool use"),
 * OpenAI ("tools is not supported in this model"), Groq ("`tool calling` is not supported with this model").
 *
 * @example refusalOf(error); // "tools" for Ollama's 400
 */
export function refusalOf(error: unknown): ToolRefusal | undefined {
  const status = statusOf(error);
  if (status !== undefined && OTHER_STATUS.has(status)) return undefined;
  for (const said of textsOf(error)) {
    const text = said.replace(PARALLEL, "");
    if (!NOT.test(text) || OF_ONE_TOOL.test(text) || OF_ANOTHER_THING.test(text)) continue;
    if (status === FORBIDDEN && !SUPPORT.test(text)) continue;
    // vLLM says "auto" tool choice where it takes no tools without being told which.
    if (CHOICE.test(text) && !/requires? --/.test(text)) return "choice";
    if (TOOLS.test(text) && !OF_A_COMBINATION.test(text)) return "tools";
  }
  return undefined;
}

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null ? (value as Fields) : undefined;

/** `status` of OpenAI's and Anthropic's clients, `status_code` of Ollama's, `statusCode`, `$metadata` of AWS's. */
function statusOf(error: unknown): number | undefined {
  const fields = fieldsOf(error) ?? {};
  const nested = [fields.response, fields.$metadata].map(fieldsOf);
  const known = [fields.status, fields.status_code, fields.statusCode, nested[0]?.status, nested[1]?.httpStatusCode];
  return known.find((status) => typeof status === "number") as number | undefined;
}

/**
 * What such an error says, in short, for a person.
 *
 * @example refusalMessage(error); // "gemma3 does not support tools"
 */
export function refusalMessage(error: unknown): string {
  return textsOf(error)[0] ?? (fieldsOf(error) ? JSON.stringify(error) : String(error));
}

/** Its message, the body of the response where the client keeps it, and the same of what caused it. */
function textsOf(error: unknown, depth = 0): string[] {
  if (typeof error === "string") return [error];
  const fields = fieldsOf(error);
  if (!fields || depth > 3) return [];
  const inner = [
    fields.error,
    fields.body,
    fields.data,
    fields.responseBody,
    fields.cause,
    fieldsOf(fields.response)?.data,
  ];
  const texts = [fields.message, ...inner].flatMap((part) => textsOf(part, depth + 1));
  // OpenAI's errors, and those of who speaks its API, say in `param` what they are about, and not always in the text.
  const { param } = fields;
  return param === "tools" || param === "tool_choice" ? texts.map((text) => `${param}: ${text}`) : texts;
}
