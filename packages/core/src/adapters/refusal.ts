/** The kind of refusal: tools in general, or only a tool choice. */
export type ToolRefusal = "tools" | "choice";

/** Status codes of errors about keys, payment and rates, never about tools, whatever their text. */
const OTHER_STATUS = new Set([401, 402, 407, 408, 429]);
/** Status of a key's missing permission, and in some APIs of a missing feature; only the latter mentions support. */
const FORBIDDEN = 403;
const SUPPORT = /support/i;

/** Tools or calls in general, not one certain tool (`tools[0]`, `function 'add'`, `tool_call_id`). */
const TOOLS =
  /\b(?:tools|tool[ _-]?(?:calls?|calling|use|usage|choice|config|support)|functions?|function[ _-]call(?:s|ing)?)\b(?!\[|\.\d|\s*['"`]?\w+['"`]?:)/i;
const CHOICE = /\btool[ _-]?choice\b/i;
const NOT = new RegExp(
  [
    String.raw`\b(?:(?:does|do|is|are|was|may|must) ?(?:not|n't)|doesn't|don't|isn't|aren't|cannot|can't)(?: \w+){0,2} (?:support|enable|available|allow|implement|accept|permit|compatible)`,
    String.raw`\bnot (?:yet )?(?:supported|enabled|available|allowed|implemented|permitted|compatible)`,
    String.raw`\b(?:cannot|can't|unable to|not able to) (?:call|use) (?:tools|functions)\b`,
    String.raw`\bnot a valid (?:parameter|field|argument|option)\b`,
    String.raw`unsupported|\bdisabled\b|\bno (?:\w+ ){1,8}supports?\b|\bthat support\b|\brequires? --|\bonly supported`,
    String.raw`\b(?:only|must) (?:be |supports? )?['"${"`"}]?(?:auto|none)\b|\bsupported (?:\w+ )?values\b`,
    String.raw`\bunrecognized|\bunknown (?:field|parameter|name|argument)`,
  ].join("|"),
  "i",
);
/** Errors about one tool, its schema or the history, which prompting would not solve. */
const OF_ONE_TOOL =
  /\bschema\b|\btools?[[.]\d|\b(?:tools?|functions?) (?:named |called )?['"`][^'"`]+['"`]|\b(?:tools?|functions?) (?:named|called) |\btool_call_id\b|\btool_calls\b|\btool messages?\b|\brole 'tool'/i;
/** Errors about a way to call tools or about the request: tools in general are supported. */
const OF_ANOTHER_THING =
  /\bstrict\b|\bpolic(?:y|ies)\b|\bsafety\b|\bunsupported (?:value|parameter)s?: ['"`](?!tool|function)/i;
/** Errors about a combination with tools, or about their number: fewer tools, or tools alone, are supported. */
const OF_A_COMBINATION =
  /\b(?:with|when|while|alongside|combin(?:ed|ing|ation)) (?:\w+ ){0,2}?(?:tools|functions|(?:tool|function)[ _-](?:calls|calling|use))\b|\b(?:tools|functions) (?:with|together)\b|\b(?:more|fewer|less) than \d|\bat most \d|\bup to \d/i;
const PARALLEL = /\bparallel[ _-](?:tool|function)[ _-](?:calls?|calling|use)\b/gi;

/**
 * Whether an error reports that the model, or its server, does not support tools; `undefined` for any other error.
 *
 * There is no common error code, so the text decides. Known texts: Ollama ("… does not support tools"), vLLM ('"auto"
 * tool choice requires --enable-auto-tool-choice …'), llama.cpp ("tools param requires --jinja flag"), Google
 * ("Function calling is not enabled for models/gemma-…"), DeepSeek ("deepseek-reasoner does not support Function
 * Calling", "… this tool_choice"), OpenRouter ("No endpoints found that support tool use"), Bedrock ("This model
 * doesn't support tool use"), OpenAI ("tools is not supported in this model"), Groq ("`tool calling` is not supported
 * with this model").
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
    // vLLM mentions the "auto" tool choice if it does not support tools without further options.
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
 * A short form of such an error's message, for people.
 *
 * @example refusalMessage(error); // "gemma3 does not support tools"
 */
export function refusalMessage(error: unknown): string {
  return textsOf(error)[0] ?? (fieldsOf(error) ? JSON.stringify(error) : String(error));
}

/** The error's message, the body of the response if the client stores it, and the same for its causes. */
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
  // Errors of OpenAI-compatible APIs name the field in `param`, and not always in the text.
  const { param } = fields;
  return param === "tools" || param === "tool_choice" ? texts.map((text) => `${param}: ${text}`) : texts;
}
