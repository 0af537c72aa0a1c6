import type { ProtocolName } from "../../src/index.js";

/** Tools that the replies call. */
export const tools = [
  {
    name: "book_table",
    description: "Book a table",
    parameters: {
      type: "object",
      properties: { place: { type: "string" }, seats: { type: "integer" }, outside: { type: "boolean" } },
    },
  },
  { name: "list_tables" },
];
/** The calls in every reply. */
export const both = [
  { name: "book_table", arguments: { place: "Chez Zoé", seats: 4 } },
  { name: "list_tables", arguments: {} },
];

/** Variants that models write of each format, besides its rendered form: other spacing, missing marks, older forms. */
export const replies: [ProtocolName, string, string][] = [
  [
    "qwen3-coder",
    "on one line",
    "<tool_call><function=book_table><parameter=place>Chez Zoé</parameter><parameter=seats>4</parameter></function></tool_call>\n<tool_call>\n<function=list_tables>\n</function>\n</tool_call>",
  ],
  [
    "qwen3-coder",
    "without the outer tag",
    "<function=book_table>\n<parameter=place>\nChez Zoé\n</parameter>\n<parameter=seats>\n4\n</parameter>\n</function>\n<function=list_tables>\n</function>",
  ],
  [
    "qwen3-coder",
    "two functions in one tag",
    "<tool_call><function=book_table><parameter=place>Chez Zoé</parameter><parameter=seats>4</parameter></function><function=list_tables></function></tool_call>",
  ],
  [
    "qwen3-coder",
    "a function that the next one ends",
    "<tool_call><function=book_table><parameter=place>Chez Zoé</parameter><parameter=seats>4</parameter><function=list_tables></function></tool_call>",
  ],
  [
    "qwen3-coder",
    "a parameter that the next one ends",
    "<tool_call>\n<function=book_table>\n<parameter=place>\nChez Zoé\n<parameter=seats>\n4\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=list_tables>\n</function>\n</tool_call>",
  ],
  [
    "mistral",
    "without the mark before the arguments",
    '[TOOL_CALLS]book_table{"place": "Chez Zoé", "seats": 4}[TOOL_CALLS]list_tables{}',
  ],
  [
    "mistral",
    "with ids",
    '[TOOL_CALLS]book_table[CALL_ID]a1b2c3d4e[ARGS]{"place": "Chez Zoé", "seats": 4}[TOOL_CALLS]list_tables[CALL_ID]b1b2c3d4e[ARGS]{}',
  ],
  [
    "mistral",
    "as a list",
    '[TOOL_CALLS] [{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "arguments": {}}]',
  ],
  [
    "mistral-list",
    "by name",
    '[TOOL_CALLS]book_table[ARGS]{"place": "Chez Zoé", "seats": 4}[TOOL_CALLS]list_tables[ARGS]{}',
  ],
  [
    "llama3-json",
    "after the token",
    '<|python_tag|>{"name": "book_table", "parameters": {"place": "Chez Zoé", "seats": "4"}}; {"name": "list_tables", "parameters": {}}<|eom_id|>',
  ],
  [
    "llama3-json",
    "two objects",
    '{"name": "book_table", "parameters": {"place": "Chez Zoé", "seats": "4"}}; {"name": "list_tables", "parameters": {}}',
  ],
  [
    "json-list",
    "inside an object",
    '{"tool_calls": [{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "arguments": {}}]}',
  ],
  [
    "deepseek-v3",
    "with bars in ASCII",
    '<|tool▁calls▁begin|><|tool▁call▁begin|>function<|tool▁sep|>book_table\n```json\n{"place": "Chez Zoé", "seats": 4}\n```<|tool▁call▁end|>\n<|tool▁call▁begin|>function<|tool▁sep|>list_tables\n```json\n{}\n```<|tool▁call▁end|><|tool▁calls▁end|>',
  ],
  [
    "deepseek-v31",
    "as V3 writes it",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>book_table\n```json\n{"place": "Chez Zoé", "seats": 4}\n```<｜tool▁call▁end｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>list_tables\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    "deepseek-v32",
    "with JSON inside",
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="book_table">\n{"place": "Chez Zoé", "seats": 4}\n</｜DSML｜invoke>\n<｜DSML｜invoke name="list_tables">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  ],
  [
    "deepseek-v32",
    "as V4 names the block",
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="book_table">\n<｜DSML｜parameter name="place" string="true">Chez Zoé</｜DSML｜parameter>\n<｜DSML｜parameter name="seats" string="false">4</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="list_tables">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  ],
  [
    "glm45",
    "without newlines",
    "<tool_call>book_table<arg_key>place</arg_key><arg_value>Chez Zoé</arg_value><arg_key>seats</arg_key><arg_value>4</arg_value></tool_call><tool_call>list_tables</tool_call>",
  ],
  [
    "glm45",
    "with a tag left out",
    "<tool_call>book_table\n<arg_key>place</arg_key>\nChez Zoé</arg_value>\n<arg_key>seats</arg_key>\n4</arg_value></tool_call><tool_call>list_tables</tool_call>",
  ],
  [
    "kimi-k2",
    "without the prefix",
    '<|tool_calls_section_begin|><|tool_call_begin|>book_table:0<|tool_call_argument_begin|>{"place": "Chez Zoé", "seats": 4} <|tool_call_end|> <|tool_call_begin|>functions.list_tables:1 <|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  [
    "granite",
    "as a tag",
    '<tool_call>[{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "arguments": {}}]',
  ],
  [
    "granite-20b",
    "with spaces",
    '<function_call> {"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}} <function_call> {"name": "list_tables", "arguments": {}}',
  ],
  [
    "phi4-mini",
    "between its tokens",
    '<|tool_call|>[{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "arguments": {}}]<|/tool_call|>',
  ],
  [
    "command-r",
    "as Command R+ writes it",
    'Action:\n```json\n[\n    {\n        "tool_name": "book_table",\n        "parameters": {\n            "place": "Chez Zoé",\n            "seats": 4\n        }\n    },\n    {\n        "tool_name": "list_tables",\n        "parameters": {}\n    }\n]```',
  ],
  [
    "minimax-m2",
    "on one line",
    '<minimax:tool_call><invoke name="book_table"><parameter name="place">Chez Zoé</parameter><parameter name="seats">4</parameter></invoke><invoke name="list_tables"></invoke></minimax:tool_call>',
  ],
  [
    "minimax-m2",
    "as JSON between markers of its own",
    '[TOOL_CALL] { "tool": "book_table", "args": { "place": "Chez Zoé", "seats": 4 } } [/TOOL_CALL]\n[TOOL_CALL] {"tool": "list_tables", "args": {}} [/TOOL_CALL]',
  ],
  [
    "glm45",
    "with a space in place of the tag before the first key",
    "<tool_call>book_table place</arg_key><arg_value>Chez Zoé</arg_value><arg_key>seats</arg_key><arg_value>4</arg_value></tool_call>\n<tool_call>list_tables</tool_call>",
  ],
  [
    "pythonic",
    "as JSON between its tokens",
    '<|python_start|>{"name": "book_table", "parameters": {"place": "Chez Zoé", "seats": 4}}<|python_end|><|python_start|>{"name": "list_tables", "parameters": {}}<|python_end|>',
  ],
  [
    "hunyuan-v3",
    "on one line",
    "<tool_calls><tool_call>book_table<tool_sep><arg_key>place</arg_key><arg_value>Chez Zoé</arg_value><arg_key>seats</arg_key><arg_value>4</arg_value></tool_call><tool_call>list_tables<tool_sep></tool_call></tool_calls>",
  ],
  [
    "step3",
    "without the kind",
    '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="book_table"><steptml:parameter name="place">Chez Zoé</steptml:parameter><steptml:parameter name="seats">4</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_call_begin｜><steptml:invoke name="list_tables"></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  ],
  [
    "apertus",
    "without the end",
    '<|tools_prefix|>[{"book_table": {"place": "Chez Zoé", "seats": 4}}, {"list_tables": {}}]',
  ],
  [
    "minicpm5",
    "with the spaces lost",
    '<functionname="book_table"><paramname="place">Chez Zoé</param><paramname="seats">4</param></function><functionname="list_tables"></function>',
  ],
  [
    "harmony",
    "as its template writes it",
    '<|start|>assistant to=functions.book_table<|channel|>commentary json<|message|>{"place": "Chez Zoé", "seats": 4}<|call|><|start|>assistant to=functions.list_tables<|channel|>commentary json<|message|>{}<|call|>',
  ],
  [
    "harmony",
    "on the wrong channel, with the parts of the header in another order",
    '<|channel|>analysis to=functions.book_table code<|message|>{"place": "Chez Zoé", "seats": 4}<|end|><|start|>assistant<|channel|>commentary<|constrain|>json to=list_tables<|message|>{}<|return|>',
  ],
  [
    "harmony",
    "with a call that the next message ends",
    '<|channel|>commentary to=functions.book_table<|message|>{"place": "Chez Zoé", "seats": 4}<|start|>assistant<|channel|>commentary to=functions.list_tables<|message|>{}',
  ],
  [
    "muse",
    "as messages to the tools",
    ' to=book_table<|message|><atem:function_calls><atem:invoke name="book_table"><atem:parameter name="place">Chez Zoé</atem:parameter><atem:parameter name="seats">4</atem:parameter></atem:invoke></atem:function_calls><|eom|><|start|>assistant to=list_tables<|message|><atem:function_calls><atem:invoke name="list_tables"></atem:invoke></atem:function_calls><|eot|>',
  ],
  [
    "minicpm3",
    "with its thought, in a fence without a language",
    '<|thought_start|>\nWhich?\n<|thought_end|>\n<|tool_call_start|>\n```\nbook_table(place="Chez Zoé", seats=4)\nlist_tables()\n```\n<|tool_call_end|>',
  ],
  [
    "kimi-k3",
    "without numbers, after an answer",
    '<|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|>\n<|open|>call tool="book_table"<|sep|><|open|>argument key="place" type="string"<|sep|>Chez Zoé<|close|>argument<|sep|><|open|>argument key="seats" type="integer"<|sep|>4<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool="list_tables"<|sep|><|close|>call<|sep|>',
  ],
  [
    "lfm2",
    "as JSON",
    '<|tool_call_start|>[{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "arguments": {}}]<|tool_call_end|>',
  ],
  [
    "gigachat3",
    "as 3.0 writes it",
    '<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "list_tables", "arguments": {}}',
  ],
  [
    "yandex",
    "after an answer, with an empty line",
    'Сейчас посмотрю.\n[TOOL_CALL_START]book_table\n{"place": "Chez Zoé", "seats": 4}\n\n[TOOL_CALL_START]list_tables\n{}',
  ],
  [
    "doubao",
    "without the list, and under the other key",
    '<|FunctionCallBegin|>{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables"}<|FunctionCallEnd|>',
  ],
  [
    "qwen-agent",
    "with wide colons, and a result that the model made up",
    '✿FUNCTION✿：book_table\n✿ARGS✿：{"place": "Chez Zoé", "seats": 4}\n✿FUNCTION✿: list_tables\n✿ARGS✿: {}\n✿RESULT✿: none\n✿RETURN✿: There is none.',
  ],
  [
    "solar-open",
    "after its reasoning and an answer, with ids of its own",
    'Which?<|end|><|begin|>assistant<|content|>I book.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>book_table<|tool_call:args|>{"place": "Chez Zoé", "seats": 4}<|tool_call:end|><|tool_call:begin|>f6g7h8i9j0<|tool_call:name|>list_tables<|tool_call:args|>{}<|tool_call:end|><|calls|>',
  ],
  [
    "solar-open2",
    "after its reasoning, on one line",
    "<|think:start|>Which?<|think:end|>I book.<|tool_call:start|>book_table<|tool_arg:start|>place<|tool_arg:value|>Chez Zoé<|tool_arg:end|><|tool_arg:start|>seats<|tool_arg:value|>4<|tool_arg:end|><|tool_call:end|><|tool_call:start|>list_tables\n<|tool_call:end|><|im:end|>",
  ],
  [
    "gigachat35",
    "after its reasoning, with bars in ASCII",
    '<think>Which?</think>\n\nI book.\n\n<|GCML|tool_calls>\n<|GCML|invoke name="book_table">\n<|GCML|parameter name="place" string="true">Chez Zoé</|GCML|parameter>\n<|GCML|parameter name="seats" string="false">4</|GCML|parameter>\n</|GCML|invoke>\n<|GCML|invoke name="list_tables">\n</|GCML|invoke>\n</|GCML|tool_calls><|message_sep|>',
  ],
  [
    "hunyuan-v4",
    "without the mark, over lines",
    "<tool_calls>\n<tool_call>book_table\n<arg_key>place</arg_key>\n<arg_value>Chez Zoé</arg_value>\n<arg_key>seats</arg_key>\n<arg_value>4</arg_value>\n</tool_call>\n<tool_call>list_tables</tool_call>\n</tool_calls>",
  ],
  [
    "hunyuan-v4",
    "after its reasoning, over lines",
    "<think:6124c78e>Which?</think:6124c78e>I book.<tool_calls:6124c78e>\n<tool_call:6124c78e>book_table\n<arg_key:6124c78e>place</arg_key:6124c78e>\n<arg_value:6124c78e>Chez Zoé</arg_value:6124c78e>\n<arg_key:6124c78e>seats</arg_key:6124c78e>\n<arg_value:6124c78e>4</arg_value:6124c78e>\n</tool_call:6124c78e>\n<tool_call:6124c78e>list_tables</tool_call:6124c78e>\n</tool_calls:6124c78e>",
  ],
  [
    "pangu",
    "after reasoning, and before the token that ends the turn",
    '[unused16]Book it.[unused17]\n[unused11][{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "arguments": {}}][unused12][unused10]',
  ],
  [
    "pangu-v2",
    "under the other key",
    '<|tool_call_start|>[{"name": "book_table", "parameters": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "parameters": {}}]<|tool_call_end|>',
  ],
  [
    "minimax-m1",
    "after its reasoning, in two tags",
    '<think>\nWhich?\n</think>\n<tool_calls>\n{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}\n</tool_calls>\n<tool_calls>\n{"name": "list_tables", "arguments": {}}\n</tool_calls><end_of_sentence>',
  ],
  [
    "olmo3",
    "in single quotes, with space",
    "<function_calls>\nbook_table(place='Chez Zoé', seats = 4)\n\nlist_tables()\n</function_calls>",
  ],
  [
    "gemma4",
    "with spaces, and a string in quotation marks",
    '<|tool_call>call:book_table{ "place": "Chez Zoé", seats: 4 }<tool_call|>\n<|tool_call>call:list_tables{}<tool_call|>',
  ],
  [
    "functiongemma",
    "with a number marked as text",
    "<start_function_call>call:book_table{place:<escape>Chez Zoé<escape>,seats:<escape>4<escape>}<end_function_call><start_function_call>call:list_tables{}<end_function_call>",
  ],
  [
    "deepseek-v3",
    "in a block without code fences",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>book_table\n{"place": "Chez Zoé", "seats": 4}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>list_tables\n{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    "gemma4",
    "with Python's arguments",
    '<|tool_call>call:book_table(place="Chez Zoé", seats=4)<tool_call|><|tool_call>call:list_tables()<tool_call|>',
  ],
  [
    "gemma4",
    "with Python's arguments, between one pair of markers",
    "<|tool_call>call:book_table(place='Chez Zoé', seats=4) call:list_tables()<tool_call|>",
  ],
  [
    "gemma4",
    "with Python's arguments and the format's own marks for strings",
    '<|tool_call>call:book_table(place=<|"|>Chez Zoé<|"|>, seats=4)<tool_call|><|tool_call>call:list_tables()<tool_call|>',
  ],
  [
    "functiongemma",
    "with Python's arguments",
    '<start_function_call>call:book_table(place="Chez Zoé", seats=4)<end_function_call><start_function_call>call:list_tables()<end_function_call>',
  ],
  [
    "longcat",
    "with a pair of tags for each argument",
    "<longcat_tool_call>book_table\n<longcat_arg_key>place</longcat_arg_key>\n<longcat_arg_value>Chez Zoé</longcat_arg_value>\n<longcat_arg_key>seats</longcat_arg_key>\n<longcat_arg_value>4</longcat_arg_value>\n</longcat_tool_call>\n<longcat_tool_call>list_tables</longcat_tool_call>",
  ],
  [
    "hunyuan-v3",
    "with the suffix of the published weights, without the separator",
    "<tool_calls:opensource>\n<tool_call:opensource>book_table\n<arg_key:opensource>place</arg_key:opensource>\n<arg_value:opensource>Chez Zoé</arg_value:opensource>\n<arg_key:opensource>seats</arg_key:opensource>\n<arg_value:opensource>4</arg_value:opensource>\n</tool_call:opensource>\n<tool_call:opensource>list_tables\n</tool_call:opensource>\n</tool_calls:opensource>",
  ],
  [
    "hunyuan-v3",
    "with the suffix of the published weights",
    "<think:opensource>Which?</think:opensource><tool_calls:opensource>\n<tool_call:opensource>book_table<tool_sep:opensource>\n<arg_key:opensource>place</arg_key:opensource>\n<arg_value:opensource>Chez Zoé</arg_value:opensource>\n<arg_key:opensource>seats</arg_key:opensource>\n<arg_value:opensource>4</arg_value:opensource>\n</tool_call:opensource>\n<tool_call:opensource>list_tables<tool_sep:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>",
  ],
  [
    "deepseek-v4",
    "after its reasoning, without types",
    'Which?</think>\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name="book_table">\n<｜DSML｜parameter name="place">Chez Zoé</｜DSML｜parameter>\n<｜DSML｜parameter name="seats">4</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="list_tables">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  ],
  [
    "glm4",
    "over lines, with the token after it",
    '\nbook_table\n{\n  "place": "Chez Zoé",\n  "seats": "4"\n}\nlist_tables\n{}<|observation|>',
  ],
  [
    "granite4",
    "with the arguments first, on one line",
    '<tool_call>{"arguments": {"place": "Chez Zoé", "seats": 4}, "name": "book_table"}</tool_call><tool_call>{"name": "list_tables", "arguments": {}}</tool_call>',
  ],
  [
    "seed-oss",
    "after its thoughts",
    "<seed:think>Which?</seed:think>\n<seed:tool_call>\n<function=book_table>\n<parameter=place>\nChez Zoé\n</parameter>\n<parameter=seats>4</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call><function=list_tables></function></seed:tool_call>",
  ],
  ["functionary", "in the way of version 3.2", '>>>book_table\n{"place": "Chez Zoé", "seats": 4}>>>list_tables\n{}'],
  [
    "hunyuan-a13b",
    "after its thoughts, with lines",
    '<think>\nWhich?\n</think>\n<answer>\n<tool_calls>\n[\n{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}},\n{"name": "list_tables", "arguments": {}}\n]\n</tool_calls>\n</answer>',
  ],
  [
    "jamba",
    "one line, arguments as text",
    '<tool_calls>[{"name": "book_table", "arguments": "{\\"place\\": \\"Chez Zoé\\", \\"seats\\": 4}"}, {"name": "list_tables", "arguments": "{}"}]</tool_calls>',
  ],
  [
    "internlm2",
    "with the other key",
    'Let me see.<|action_start|><|plugin|>{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}<|action_end|>\n<|action_start|><|plugin|>\n{"name": "list_tables", "parameters": {}}<|action_end|>',
  ],
  [
    "longcat",
    "after its thoughts, without layout",
    '<longcat_think>\nWhich?\n</longcat_think>\n<longcat_tool_call>{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}</longcat_tool_call><longcat_tool_call>{"name": "list_tables", "arguments": {}}</longcat_tool_call>',
  ],
  [
    "dots",
    "with layout",
    '<dots_function_call>\n{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}\n</dots_function_call>\n<dots_function_call>\n{"name": "list_tables", "arguments": {}}\n</dots_function_call>',
  ],
  [
    "nemotron-v2",
    "with layout, and a bracket missing",
    '<think></think>\n<TOOLCALL>\n[{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}},\n {"name": "list_tables", "arguments": {}}\n</TOOLCALL>',
  ],
  [
    "apriel",
    "after its steps, with ids",
    'Here are my reasoning steps:\nWhich?\n[BEGIN FINAL RESPONSE]\n<tool_calls>[{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}, "id": "1"}, {"name": "list_tables", "arguments": {}, "id": "2"}]</tool_calls>\n[END FINAL RESPONSE]<|end|>',
  ],
  [
    "ernie",
    "after its thoughts",
    'Which?\n</think>\n\n<tool_call>\n{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}\n</tool_call>\n<tool_call>\n{"name": "list_tables", "arguments": {}}\n</tool_call>\n',
  ],
  [
    "glm45",
    "with an escape in place of the newline, as Ling writes it",
    "<tool_call>book_table\\n<arg_key>place</arg_key>\n<arg_value>Chez Zoé</arg_value><arg_key>seats</arg_key>\n<arg_value>4</arg_value>\n</tool_call>\n<tool_call>list_tables\\n</tool_call>",
  ],
  [
    "command-r",
    "after its thinking, before a text",
    '<|START_THINKING|>Which?<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "book_table", "parameters": {"place": "Chez Zoé", "seats": 4}},\n    {"tool_call_id": "1", "tool_name": "list_tables", "parameters": {}}\n]<|END_ACTION|><|START_TEXT|>Booked.<|END_TEXT|><|END_OF_TURN_TOKEN|>',
  ],
  [
    "internlm2",
    "with a space between its tokens",
    '<|action_start|> <|plugin|>\n{"name": "book_table", "parameters": {"place": "Chez Zoé", "seats": 4}}<|action_end|><|action_start|> <|plugin|>\n{"name": "list_tables", "parameters": {}}<|action_end|>',
  ],
  [
    "deepseek-v41",
    "after its reasoning, on one line",
    'Which?</think>\n\n<｜DSML｜ calls><｜DSML｜ invoke name="book_table"><｜DSML｜ parameter name="place" string="true">Chez Zoé</｜DSML｜ parameter><｜DSML｜ parameter name="seats" string="false">4</｜DSML｜ parameter></｜DSML｜ invoke><｜DSML｜ invoke name="list_tables"></｜DSML｜ invoke></｜DSML｜ calls>',
  ],
  [
    "deepseek-v41",
    "with JSON inside",
    '<｜DSML｜ calls>\n<｜DSML｜ invoke name="book_table">{"place": "Chez Zoé", "seats": 4}</｜DSML｜ invoke>\n<｜DSML｜ invoke name="list_tables">{}</｜DSML｜ invoke>\n</｜DSML｜ calls>',
  ],
  [
    "deepseek-v41",
    "as V4 writes it",
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="book_table">\n<｜DSML｜parameter name="place" string="true">Chez Zoé</｜DSML｜parameter>\n<｜DSML｜parameter name="seats" string="false">4</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="list_tables">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  ],
  [
    "mimo-v2",
    "with the values on lines of their own",
    "<tool_call>\n<function=book_table>\n<parameter=place>\nChez Zoé\n</parameter>\n<parameter=seats>4</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=list_tables></function>\n</tool_call>",
  ],
  [
    "exaone4",
    "after its thoughts, over lines",
    '<think>\nWhich?\n</think>\n\n<tool_call>\n{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}\n</tool_call>\n<tool_call>{"name": "list_tables", "arguments": {}}</tool_call>[|endofturn|]',
  ],
  [
    "mirothinker",
    "of other servers, each in a block",
    '<think>\nWhich?\n</think>\n\nLet me book it.\n<use_mcp_tool>\n<server_name>tables</server_name>\n<tool_name>book_table</tool_name>\n<arguments>\n{\n"place": "Chez Zoé",\n"seats": 4\n}\n</arguments>\n</use_mcp_tool>\n<use_mcp_tool>\n<server_name>tool-python</server_name>\n<tool_name>list_tables</tool_name>\n<arguments>{}</arguments>\n</use_mcp_tool>',
  ],
  [
    "mirothinker",
    "without a server",
    '<use_mcp_tool>\n<tool_name>book_table</tool_name>\n<arguments>\n{"place": "Chez Zoé", "seats": 4}\n</arguments>\n</use_mcp_tool>\n<use_mcp_tool><tool_name>list_tables</tool_name><arguments>{}</arguments></use_mcp_tool>',
  ],
  [
    "inkling",
    "after its thoughts and a text",
    '<|content_thinking|>Which?<|end_message|><|message_model|><|content_text|>Let me see.<|end_message|><|message_model|>book_table<|content_invoke_tool_json|>{"name":"book_table","args":{"place":"Chez Zoé","seats":4}}<|end_message|><|message_model|>list_tables<|content_invoke_tool_json|>{"name":"list_tables","args":{}}<|end_message|><|content_model_end_sampling|>',
  ],
  [
    "inkling",
    "without the name in the header, or without a header",
    '<|message_model|><|content_invoke_tool_json|>{"name": "book_table", "args": {"place": "Chez Zoé", "seats": 4}}<|end_message|><|content_invoke_tool_json|>{"args": {}, "name": "list_tables"}<|end_message|>',
  ],
  [
    "k2-horizon",
    "after its thoughts",
    "<ifm|think_fast>\nWhich?\n</ifm|think_fast>\n<ifm|tool_calls>\n<ifm|tool_call>book_table\n<ifm|arg_key>place</ifm|arg_key>\n<ifm|arg_value>Chez Zoé</ifm|arg_value>\n<ifm|arg_key>seats</ifm|arg_key>\n<ifm|arg_value>4</ifm|arg_value>\n</ifm|tool_call>\n<ifm|tool_call>list_tables\n</ifm|tool_call>\n</ifm|tool_calls><|ifm|im_end|>",
  ],
  [
    "k2-horizon",
    "as JSON",
    '<ifm|tool_calls>\n<ifm|tool_call>{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}</ifm|tool_call>\n<ifm|tool_call>{"name": "list_tables", "arguments": {}}</ifm|tool_call>\n</ifm|tool_calls>',
  ],
  [
    "k2-horizon",
    "on one line, without the block",
    "<ifm|tool_call>book_table<ifm|arg_key>place</ifm|arg_key><ifm|arg_value>Chez Zoé</ifm|arg_value><ifm|arg_key>seats</ifm|arg_key><ifm|arg_value>4</ifm|arg_value></ifm|tool_call><ifm|tool_call>list_tables</ifm|tool_call>",
  ],
  [
    "plamo3",
    "with layout, without the type of the arguments",
    '<|plamo:begin_think:plamo|>Which?<|plamo:end_think:plamo|><|plamo:begin_tool_requests:plamo|>\n<|plamo:begin_tool_request:plamo|>\n<|plamo:begin_tool_name:plamo|>book_table<|plamo:end_tool_name:plamo|>\n<|plamo:begin_tool_arguments:plamo|><|plamo:msg|>{"place": "Chez Zoé", "seats": 4}<|plamo:end_tool_arguments:plamo|>\n<|plamo:end_tool_request:plamo|>\n<|plamo:begin_tool_request:plamo|>\n<|plamo:begin_tool_name:plamo|>list_tables<|plamo:end_tool_name:plamo|>\n<|plamo:begin_tool_arguments:plamo|>{}<|plamo:end_tool_arguments:plamo|>\n<|plamo:end_tool_request:plamo|>\n<|plamo:end_tool_requests:plamo|><|plamo:tag|>',
  ],
  [
    "iquest-coder",
    "in the tag of Q1, without newlines",
    "<iquest_tool_call>book_table<arg_key>place</arg_key><arg_value>Chez Zoé</arg_value><arg_key>seats</arg_key><arg_value>4</arg_value></iquest_tool_call><iquest_tool_call>list_tables</iquest_tool_call>",
  ],
  [
    "clova",
    "after its answer, as the model card shows one call",
    'Let me see.<|im_end|>\n<|im_start|>assistant -> tool/function_call\n[{"name": "book_table", "input": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "input": {}}]<|im_end|><|stop|>',
  ],
  [
    "clova",
    "after the role with which the prompt ends, and its thoughts",
    '/think\nWhich?<|im_end|>\n<|im_start|>assistant -> tool/function_call\n[{"name": "book_table", "arguments": {"place": "Chez Zoé", "seats": 4}}, {"name": "list_tables", "arguments": {}}]<|im_end|><|stop|>',
  ],
  [
    "kimi-k3",
    "with the arguments as one object",
    '<|open|>think<|sep|>Which?<|close|>think<|sep|><|open|>response<|sep|>Let me see.<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="book_table" index="1"<|sep|><|open|>json type="object"<|sep|>{"place": "Chez Zoé", "seats": 4}<|close|>json<|sep|><|close|>call<|sep|><|open|>call tool="list_tables" index="2"<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|><|end_of_msg|>',
  ],
  [
    "glm45",
    "with the arguments as an object, as GLM 5.3 Flash does",
    '<tool_call>book_table>{"place": "Chez Zoé", "seats": 4}</tool_call><tool_call>list_tables>{}',
  ],
];
