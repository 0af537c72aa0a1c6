import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";
import type { ProtocolName } from "../protocols/index.js";

// Replies that can be read in two ways, and that nothing decides: nothing runs.

describe("an ambiguous call does not run", () => {
  test.each<[string, ProtocolName, string]>([
    ["two objects for one call", "pythonic", "[f({'a': 1}, {'b': 2})]"],
    ["a backslash before the closing quote", "pythonic", "[run_job(cmd='say it\\', dir='tmp')]"],
    [
      "an object in a string that is cut off",
      "json-list",
      '[{"name": "run_job", "arguments": {"cmd": "echo {\\"a\\": {\\"b\\": \\"c\\"}}',
    ],
    ["a single escaped quote before the end", "json-list", '[{"name": "run_job", "arguments": {"cmd": "a 12\\"}}]'],
    [
      "an argument in the tag that names the tool, before an object",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="set_lamp" room="hall">\n{"level": 3}\n</invoke>\n</minimax:tool_call>',
    ],
    [
      "an argument in the tag that names the tool and again as an element",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="set_lamp" room="hall">\n<parameter name="room">attic</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    ["text that may be another argument", "am-xml", '<am:tool_call name="set_lamp">3</am:tool_call>'],
    ["text for a tool with two arguments of text", "tool-tags", "<run_job>\nls -la\n</run_job>"],
    ["a tool's tag in a sentence", "tool-tags", "Write <read_meter>the attic</read_meter> to read it."],
    ["text with the tag of an argument", "tool-tags", "<read_meter>the <room>attic</room></read_meter>"],
    [
      "a string that goes on over the next key",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": "12, "guests": "two"}}</tool_call>',
    ],
    [
      "a string that goes on over the next item",
      "hermes",
      '<tool_call>{"name": "save_tasks", "arguments": {"names": ["a, "b"]}}</tool_call>',
    ],
    [
      "a string that goes on over the next call",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": "12}}</tool_call>\n<tool_call>{"name": "book", "arguments": {"guests": "two"}}</tool_call>',
    ],
    [
      "a quote too many",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": ""12", "guests": "two"}}</tool_call>',
    ],
    [
      "a quote after the object of the arguments",
      "hermes",
      '<tool_call>{"name": "run_job", "arguments": {"cmd": "ls"}"}</tool_call>',
    ],
    ["a single quote after it", "hermes", `<tool_call>{"name": "run_job", "arguments": {'cmd': 'ls'}'}</tool_call>`],
    [
      "two quotes after a list of calls",
      "command-r",
      '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "run_job", "parameters": {"cmd": "ls"}}]""<|END_ACTION|>',
    ],
    [
      "a quote after a bracket whose opener is far from the string's first quote",
      "hermes",
      `<tool_call>{"name": "run_job", "arguments": {"cmd": "echo ${"x".repeat(99)} ls"}"}</tool_call>`,
    ],
    [
      "three quotes at the end of a string",
      "hermes",
      '<tool_call>{"name": "run_job", "arguments": {"cmd": "ls"""}}</tool_call>',
    ],
    [
      "a comma that is missing in a list",
      "hermes",
      '<tool_call>{"name": "save_tasks", "arguments": {"names": ["a""b"]}}</tool_call>',
    ],
    [
      "a comma that is missing before a space in a list",
      "hermes",
      '<tool_call>{"name": "save_tasks", "arguments": {"names": ["a" "b"]}}</tool_call>',
    ],
    [
      "a key in a list",
      "hermes",
      '<tool_call>{"name": "save_tasks", "arguments": {"names": ["", "urgent": true", "t"]}}</tool_call>',
    ],
    ["two strings of Python's that touch", "pythonic", '[run_job(cmd="ls""dir")]'],
    [
      "a call in a list of strings, whose brackets are missing",
      "hunyuan-a13b",
      '<tool_calls>[{"name": "save_tasks", "arguments": {"names": ["a", {"name": "run_job", "arguments": {"cmd": "ls"}}]</tool_calls>',
    ],
    [
      "a call in a list of anything, whose brackets are missing",
      "hunyuan-a13b",
      '<tool_calls>[{"name": "save_tasks", "arguments": {"tasks": ["a", {"name": "run_job", "arguments": {"cmd": "ls"}}]</tool_calls>',
    ],
    [
      "the same by a tool's name",
      "apertus",
      '<|tools_prefix|>[{"save_tasks": {"tasks": ["a", {"run_job": {"cmd": "ls"}}]<|tools_suffix|>',
    ],
    [
      "a string without its first quote that reads as a comment, and another call",
      "jamba",
      '<tool_calls>[\n{"name": "run_job", "arguments": {"cmd": //srv/x"}},\n{"name": "f", "arguments": {"a": 1}}]</tool_calls>',
    ],
    [
      "a list without its closing bracket instead of a string",
      "hermes",
      '<tool_call>{"name": "run_job", "arguments": {"cmd": ["ls"}}</tool_call>',
    ],
    [
      "a key beside another spelling of it",
      "hermes",
      '<tool_call>{"name": "open_file", "arguments": {"path": "good", "path_": "bad"}}</tool_call>',
    ],
    [
      "a comment on one line with the rest of the arguments",
      "hermes",
      '<tool_call>\n{"name": "run_job", "arguments": {"cmd": "ls" // list, "dir": "tmp"}}\n</tool_call>',
    ],
    [
      "a key in a comment, and the brackets after its line",
      "hermes",
      '<tool_call>\n{"name": "run_job", "arguments": {"cmd": "ls", # list, "dir": "tmp"\n}}\n</tool_call>',
    ],
    [
      "the same in typographic quotes",
      "hermes",
      '<tool_call>\n{"name": "set_lamp", "arguments": {"room": "attic" // high, “level”: 4\n}}\n</tool_call>',
    ],
    [
      "brackets in a comment",
      "hermes",
      '<tool_call>\n{"name": "run_job", "arguments": {"cmd": "ls" // }}\n</tool_call>',
    ],
    ["a quote instead of a string's last mark", "gemma4", '<|tool_call>call:run_job{cmd:<|"|>ls"}<tool_call|>'],
    ...[
      ["hermes", '<tool_call>{"name": "run_job", "arguments": {"cmd": "ls"}, {"dir": "tmp"}}</tool_call>'],
      ["hermes", '<tool_call>{"name": "run_job", "arguments": {"cmd": "ls"}}, {"dir": "tmp"}}</tool_call>'],
      ["hermes", '<tool_call>[{"name": "run_job", "arguments": {"cmd": "ls"}, {"dir": "tmp"}]</tool_call>'],
      ["hunyuan-a13b", '<tool_calls>[{"name": "run_job", "arguments": {"cmd": "ls"}, {"dir": "tmp"}}]</tool_calls>'],
      ["json-action", '{"action": {"tool": "run_job", "args": {"cmd": "ls"}, {"dir": "tmp"}}}'],
      ["apertus", '<|tools_prefix|>[{"run_job": {"cmd": "ls"}, {"dir": "tmp"}}]<|tools_suffix|>'],
      ["mistral", '[TOOL_CALLS]run_job[ARGS]{"cmd": "ls"}, {"dir": "tmp"}'],
      ["functionary", '<function=run_job>{"cmd": "ls"}, {"dir": "tmp"}</function>'],
      ["xml", '<tool_call><name>run_job</name><arguments>{"cmd": "ls"} {"dir": "tmp"}</arguments></tool_call>'],
    ].map(([protocol, reply]): [string, ProtocolName, string] => [
      "two halves of an object",
      protocol as ProtocolName,
      reply!,
    ]),
    [
      "a brace before a key, after an inner object",
      "hermes",
      '<tool_call>{"name": "open_file", "arguments": {"place": {"city": "Rome"}, {"path": "x"}}</tool_call>',
    ],
    ["a semicolon for a comma", "llama3-json", '{"name": "run_job", "parameters": {"cmd": "ls"; "dir": "tmp"}}'],
    ["a brace too early in a list", "at-command", '@save_tasks {"names": ["a"}, "b"]}'],
    ["two braces too early in a list", "at-command", '@save_tasks {"names": ["a"}}, "b"]}'],
    [
      "two halves of a list",
      "hermes",
      '<tool_call>{"name": "save_tasks", "arguments": {"names": ["a"}, {"b", "c"]}}</tool_call>',
    ],
    [
      "a quote and a comma too many",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": "12",", "guests": "two"}}</tool_call>',
    ],
    [
      "a quote and a brace too many",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": "}"12", "guests": "two"}}</tool_call>',
    ],
    ["a name without its equals sign", "pythonic", '[run_job(cmd="ls", dirtmp")]'],
    ["the same after a label", "react", 'Action: save_tasks\nAction Input: {"names": ["a"}, "b"]}'],
    ["the same after a name", "mistral", '[TOOL_CALLS]save_tasks[ARGS]{"names": ["a"}, "b"]}'],
    ["the same under a name", "apertus", '<|tools_prefix|>[{"save_tasks": {"names": ["a"}, "b"]}}]<|tools_suffix|>'],
    [
      "a parenthesis before the last argument",
      "olmo3",
      '<function_calls>\nrun_job(cmd="ls",) dir="tmp")\n</function_calls>',
    ],
    [
      "words before a quoted value",
      "hermes",
      '<tool_call>{"name": "book", "arguments": {"venue": Here it is: "12"}}</tool_call>',
    ],
    [
      "a bracket too few, and an argument in the wrong object",
      "hermes",
      '<tool_call>{"name": "open_file", "arguments": {"place": {"city": "Rome", "path": "x"}}</tool_call>',
    ],
    [
      "an object that continues after its end",
      "hermes",
      '<tool_call>{"name": "open_file", "arguments": {"place": {"city": "Rome"}}}, "path": "x"}}</tool_call>',
    ],
    [
      "an argument beside the arguments",
      "hermes",
      '<tool_call>{"name": "f", "arguments": {"a": 1}, "b": 2}</tool_call>',
    ],
    [
      "the broken text of a list",
      "qwen3-coder",
      '<function=save_tasks>\n<parameter=names>\n["a", <!-- -->"b"]\n</parameter>\n</function>',
    ],
    [
      "a broken tag of an argument",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="book">\n<parameter name=\\"venue\\">x</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      "a call that breaks off before its arguments",
      "qwen3-coder",
      "<function=book>\n<function=book>\n<parameter=venue>\nx\n</parameter>\n</function>",
    ],
    ["text beside the attributes", "laic", '<call name="book" venue="Roma">for two</call>'],
    ["text on a line after the attributes", "laic", '<call name="book" venue="Roma">\nfor two\n</call>'],
    ["a tag that is not closed, and text", "laic", 'Write <call name="book" venue="Roma"> to book.'],
    [
      "an argument's tag that its value's closing tag may close",
      "tool-tags",
      "<book>\n<venue>Roma<note>window</venue>\n</book>",
    ],
    [
      "closers that are missing before a call of another tool",
      "qwen3-coder",
      "<tool_call>\n<function=run_job>\n<parameter=cmd>\nls\n<tool_call>\n<function=set_lamp>\n<parameter=level>\n3\n</parameter>\n<parameter=room>\nhall\n</parameter>\n</function>\n</tool_call>",
    ],
    [
      "closers that are missing, words, and a call without arguments",
      "glm45",
      "<tool_call>run_job\n<arg_key>cmd</arg_key>\n<arg_value>ls</arg_val\nThen the lamp:\n<tool_call>set_lamp\n</tool_call>",
    ],
    [
      "closers that are missing before a call, between tokens",
      "kimi-k3",
      '<|open|>tools<|sep|><|open|>call tool="run_job" index="0"<|sep|><|open|>argument key="cmd" type="string"<|sep|>ls<|open|>call tool="set_lamp" index="1"<|sep|><|open|>argument key="room" type="string"<|sep|>hall<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ],
    [
      "an argument's tag without its end, and a value that has one",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="run_job">\n<parameter name="cmd"ls -la > out.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      "the same between tokens",
      "deepseek-v4",
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="run_job">\n<｜DSML｜parameter name="cmd" string="true"ls > out</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    ],
    [
      "the same in a tag that has the argument's name",
      "am-xml",
      '<am:tool_call name="run_job"><cmd ls > out</cmd></am:tool_call>',
    ],
    [
      "the same in another format",
      "hermes",
      '<tool_call><invoke name="run_job"><parameter name="cmd"5 > 4. Bye</parameter></invoke></tool_call>',
    ],
    ["the same with an assignment", "tool-tags", "<run_job>\n<cmd x=1 make > log</cmd>\n</run_job>"],
    [
      "a closing tag with a `>` in it before the call's end",
      "qwen3-coder",
      "<function=run_job>\n<parameter=cmd>\nls\n</paramete>r>\n</function>",
    ],
    [
      "the end of a closing tag before the call's end",
      "am-xml",
      '<am:tool_call name="run_job"><cmd>lsd></am:tool_call>',
    ],
    [
      "closers and a part of an opener that are missing between two calls",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="run_job">\n<parameter name="cmd">lsinvoke name="set_lamp">\n<parameter name="room">hall</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      "the opening tag of another call at the end of a line",
      "yaml",
      "<run_job>\ncmd: ls <set_lamp>\nroom: hall\n</set_lamp>",
    ],
    ["a part of a closing tag at the end of a line", "yaml", "<run_job>\ncmd: ls/run_job>\n<b>"],
    [
      "closers that are missing before a call in another format",
      "qwen3-coder",
      '<tool_call>\n<function=run_job>\n<parameter=cmd>\nls\n<tool_call>\n{"name": "set_lamp", "arguments": {"room": "hall"}}\n</tool_call>',
    ],
  ])("%s", (_, protocol, reply) => {
    const found = readings(reply, protocol)?.filter((call) => Array.isArray(call));
    expect(found?.filter((call) => JSON.stringify(call) !== '["book",{"venue":"x"}]')).toEqual([]);
  });
});

test("of two names, or two objects of arguments, none is chosen", () => {
  const call = (members: string) => readings(`<tool_call>{${members}}</tool_call>`, "hermes");
  expect(call('"name":"f","name":"book","arguments":{"a":1}')).toEqual(["malformed"]);
  expect(call('"name":"f","arguments":{"a":1},"arguments":{"b":2}')).toEqual(["malformed"]);
  expect(call('"name":"f","arguments":{"a":1}')).toEqual([["f", { a: 1 }]]);
});
