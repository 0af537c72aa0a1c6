import { describe, expect, test } from "vitest";
import { readings } from "../../test/support/readings.js";
import type { ProtocolName } from "../protocols/index.js";

// Replies that can be read in two ways, of which the schema of the tool decides one.

describe("a reading that the schema decides is read", () => {
  test.each<[string, ProtocolName | "auto", string, unknown[]]>([
    [
      "arguments inside of an unknown element",
      "auto",
      '<tool_call name="ship.order"><args><depot>Oslo</depot><boxes>4</boxes></args></tool_call>',
      [["ship.order", { depot: "Oslo", boxes: 4 }]],
    ],
    [
      "arguments inside of an unknown key",
      "hermes",
      '<tool_call>{"name": "ship.order", "arguments": {"order": {"depot": "Oslo", "boxes": "4"}}}</tool_call>',
      [["ship.order", { depot: "Oslo", boxes: 4 }]],
    ],
    [
      "a value whose closing tag is missing before the next argument",
      "glm45",
      "<tool_call>book\n<arg_key>venue</arg_key>\n<arg_value>Roma<arg_key>note</arg_key>\n<arg_value>window</arg_value></tool_call>",
      [["book", { venue: "Roma", note: "window" }]],
    ],
    [
      "tags of another format",
      "qwen3-coder",
      "<tool_call><name>set_lamp</name><parameter=room>hall</parameter></tool_call>",
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "words between two arguments",
      "qwen3-coder",
      "<function=set_lamp>\n<parameter=room>\nhall\n</parameter>\nDone now.\n<parameter=level>\n3\n</parameter>\n</function>",
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "a call without its closing tag before another tool's",
      "tool-tags",
      "<set_lamp>\n<room>hall</room>\n<read_meter><room>attic</room></read_meter>",
      [
        ["set_lamp", { room: "hall" }],
        ["read_meter", { room: "attic" }],
      ],
    ],
    [
      "a call without its closing tag before another one",
      "am-xml",
      '<am:tool_call name="set_lamp"><room>hall</room>\n<am:tool_call name="run_job"><cmd>ls</cmd></am:tool_call>',
      [
        ["set_lamp", { room: "hall" }],
        ["run_job", { cmd: "ls" }],
      ],
    ],
    [
      "a call without its closing tag before one in another format",
      "tool-tags",
      '<set_lamp>\n<room>hall</room>\n<tool_call>{"name": "run_job", "arguments": {"cmd": "ls"}}</tool_call>',
      [
        ["set_lamp", { room: "hall" }],
        ["run_job", { cmd: "ls" }],
      ],
    ],
    [
      "a call's opening tag in place of its closing tag",
      "am-xml",
      '<am:tool_call name="set_lamp"><room>hall</room><am:tool_call>\n<am:tool_call name="run_job"><cmd>ls</cmd></am:tool_call>',
      [
        ["set_lamp", { room: "hall" }],
        ["run_job", { cmd: "ls" }],
      ],
    ],
    [
      "a list that is escaped once more",
      "qwen3-coder",
      '<function=save_tasks>\n<parameter=tasks>\n[{\\"id\\": \\"C:\\\\\\\\tmp\\"}]\n</parameter>\n</function>',
      [["save_tasks", { tasks: [{ id: "C:\\tmp" }] }]],
    ],
    [
      "two bare calls with comments between",
      "hermes",
      '<!-- 1 -->\n{"name": "read_meter", "arguments": {"room": "attic"}}\n\n<!-- 2 -->\n{"name": "read_meter", "arguments": {"room": "hall"}}',
      [
        ["read_meter", { room: "attic" }],
        ["read_meter", { room: "hall" }],
      ],
    ],
    [
      "unescaped quotes before a bracket that the string opens itself",
      "hermes",
      `<tool_call>{"name": "run_job", "arguments": {"cmd": "echo {"a": "b"} ${"x".repeat(99)} {"a": "b"}"}}</tool_call>`,
      [["run_job", { cmd: `echo {"a": "b"} ${"x".repeat(99)} {"a": "b"}` }]],
    ],
    [
      "such a bracket far before the quotes",
      "hermes",
      `<tool_call>{"name": "run_job", "arguments": {"cmd": "f() { ${"x".repeat(99)} "b"} now"}}</tool_call>`,
      [["run_job", { cmd: `f() { ${"x".repeat(99)} "b"} now` }]],
    ],
    [
      "a comment between two lines of the arguments",
      "hermes",
      '<tool_call>\n{"name": "run_job", "arguments": {"cmd": "ls", // see "dir" {below}\n"dir": "tmp"}}\n</tool_call>',
      [["run_job", { cmd: "ls", dir: "tmp" }]],
    ],
    [
      "an object in the place of text",
      "hermes",
      '<tool_call>{"name": "run_job", "arguments": {"cmd": {"name": "f"}}}</tool_call>',
      [["run_job", { cmd: '{"name":"f"}' }]],
    ],
    [
      "a bracket that is missing between two calls",
      "hermes",
      '<tool_call>[{"name": "run_job", "arguments": {"cmd": "a"}, {"name": "run_job", "arguments": {"cmd": "b"}}]</tool_call>',
      [
        ["run_job", { cmd: "a" }],
        ["run_job", { cmd: "b" }],
      ],
    ],
    ["an object and an argument by name", "pythonic", "[f({'a': 1}, b=2)]", [["f", { a: 1, b: 2 }]]],
    [
      "an argument's tag that the value closes itself",
      "tool-tags",
      "<book>\n<venue>the <note>window</note> place</venue>\n<guests>type <note> first</guests></book>",
      [["book", { venue: "the <note>window</note> place", guests: "type <note> first" }]],
    ],
    [
      "text behind a tag that has all arguments",
      "laic",
      '<call name="read_meter" room="hall">\nDone.',
      [["read_meter", { room: "hall" }]],
    ],
    [
      "a whole call that a value shows",
      "qwen3-coder",
      "<tool_call>\n<function=book>\n<parameter=note>\nwrite <function=set_lamp>\n<parameter=level>\n3\n</parameter>\n</function>\n</parameter>\n</function>\n</tool_call>",
      [["book", { note: "write <function=set_lamp>\n<parameter=level>\n3\n</parameter>\n</function>" }]],
    ],
    [
      "a call's opener that a sentence in a value names",
      "qwen3-coder",
      "<tool_call>\n<function=book>\n<parameter=note>\nUse <function=set_lamp> for lamps.\n</parameter>\n</function>\n</tool_call>",
      [["book", { note: "Use <function=set_lamp> for lamps." }]],
    ],
    [
      "words after the last argument of a call without its closing tag",
      "tool-tags",
      "set_lamp\n<room>hall</room>\nDone.",
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "a call's tag without its end, closed by the sign of an empty one",
      "tool-tags",
      "<set_lamp\n  <room>hall</room>\n  <level>2</level>\n/>",
      [["set_lamp", { room: "hall", level: 2 }]],
    ],
    [
      "entities before and after markup of the value's own",
      "tool-tags",
      "<book>\n<note>x &amp; y <br/> a &lt; b</note>\n</book>",
      [["book", { note: "x & y <br/> a < b" }]],
    ],
    [
      "entities after markup of the value's own",
      "tool-tags",
      "<book>\n<note><p>a &lt; b</p></note>\n</book>",
      [["book", { note: "<p>a &lt; b</p>" }]],
    ],
    [
      "a path without quotes that contains the sign of a comment",
      "hermes",
      '<tool_call>{name: "run_job", arguments: {cmd: /srv//data, dir: /srv/*/x}}</tool_call>',
      [["run_job", { cmd: "/srv//data", dir: "/srv/*/x" }]],
    ],
    [
      "a mark of strings too many",
      "gemma4",
      '<|tool_call>call:run_job{cmd:\'^#+ \'<|"|>,dir:<|"|>x<|"|><|"|>}<tool_call|>',
      [["run_job", { cmd: "^#+ ", dir: "x" }]],
    ],
    [
      "a backslash at the end of a path, before another argument",
      "pythonic",
      "[run_job(cmd='dir D:\\', dir='tmp')]",
      [["run_job", { cmd: "dir D:\\", dir: "tmp" }]],
    ],
    [
      "a backslash at the end of a path, before the end of the reply",
      "hermes",
      '<tool_call>{"name": "run_job", "arguments": {"cmd": "dir D:\\"}}</tool_call>',
      [["run_job", { cmd: "dir D:\\" }]],
    ],
    [
      "a closing quote that is missing after a pair of escaped ones",
      "json-list",
      '[{"name": "run_job", "arguments": {"cmd": "echo \\"hi there\\"}}]',
      [["run_job", { cmd: 'echo "hi there"' }]],
    ],
    [
      "the singular of a required argument that only that one can be",
      "hermes",
      '<tool_call>{"name": "query", "arguments": {"filter": ["a"]}}</tool_call>',
      [["query", { filters: ["a"] }]],
    ],
    [
      "another word where the tool takes any key",
      "hermes",
      '<tool_call>{"name": "save_tasks", "arguments": {"tasks": [], "note": "a"}}</tool_call>',
      [["save_tasks", { tasks: [], note: "a" }]],
    ],
    [
      "space around the values of elements in place of YAML",
      "yaml",
      "<set_lamp>\n<room> hall </room>\n<level> 2</level>\n</set_lamp>",
      [["set_lamp", { room: "hall", level: 2 }]],
    ],
    [
      "an element around arguments in tags of the format",
      "qwen3-coder",
      "<tool_call>\n<function=set_lamp>\n<parameters>\n<parameter=room>hall</parameter>\n<parameter=level>3</parameter>\n</parameters>\n</function>\n</tool_call>",
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "an element around arguments in tags of another format",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="set_lamp">\n<parameters><room>hall</room><level>3</level></parameters>\n</invoke>\n</minimax:tool_call>',
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "an element around an object of arguments",
      "qwen3-coder",
      '<tool_call>\n<function=set_lamp>\n<arguments>{"room": "hall", "level": 3}</arguments>\n</function>\n</tool_call>',
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "an object in place of the elements",
      "qwen3-coder",
      '<tool_call>\n<function=set_lamp>\n{"room": "hall", "level": 3}\n</function>\n</tool_call>',
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "a key around all arguments in YAML",
      "yaml",
      "<set_lamp>\narguments:\n  room: hall\n  level: 3\n</set_lamp>",
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "an argument in the tag that names the tool",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="set_lamp" room="hall">\n<level>3</level>\n</invoke>\n</minimax:tool_call>',
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "an argument in a tag of another format after attributes",
      "laic",
      '<call name="set_lamp" room="hall"><parameter name="level">3</parameter></call>',
      [["set_lamp", { room: "hall", level: 3 }]],
    ],
    [
      "a list with a mark on each line",
      "hermes",
      '<tool_call>{"name": "save_tasks", "arguments": {"names": "- a b\\n- c"}}</tool_call>',
      [["save_tasks", { names: ["a b", "c"] }]],
    ],
    [
      "a tuple and a set as text",
      "qwen3-coder",
      "<function=save_tasks>\n<parameter=tasks>\n{1, 2}\n</parameter>\n<parameter=names>\n('a', 'b')\n</parameter>\n</function>",
      [["save_tasks", { tasks: [1, 2], names: ["a", "b"] }]],
    ],
    [
      "a name that is written twice without a space",
      "hermes",
      '<tool_call>{"name": "set_lampset_lamp", "arguments": {"room": "hall"}}</tool_call>',
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "an escaped quote after a path",
      "hermes",
      '<tool_call>{"name": "run_job", "arguments": {"cmd": "C:\\"}}</tool_call>"}}</tool_call>',
      [["run_job", { cmd: 'C:"}}</tool_call>' }]],
    ],
    [
      "a name with brackets of markup that the tool has",
      "glm45",
      "<tool_call>filter_rows\n<arg_key>min<5></arg_key>\n<arg_value>yes</arg_value>\n</tool_call>",
      [["filter_rows", { "min<5>": "yes" }]],
    ],
    [
      "text as the only argument of an element",
      "tool-tags",
      "<read_meter>the attic</read_meter>",
      [["read_meter", { room: "the attic" }]],
    ],
    [
      "text as the only argument, on a line of its own",
      "qwen3-coder",
      "<tool_call>\n<function=read_meter>\nthe <b>attic</b>\n</function>\n</tool_call>",
      [["read_meter", { room: "the <b>attic</b>" }]],
    ],
    [
      "text as the only string of a call with other arguments",
      "am-xml",
      '<am:tool_call name="set_lamp">hall</am:tool_call>',
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "text as the only argument behind a tag with the name",
      "xml",
      '<tool_call name="read_meter">the attic</tool_call>',
      [["read_meter", { room: "the attic" }]],
    ],
    [
      "the newline before a call's closing tag",
      "tool-tags",
      "<set_lamp>\n<room>hall\n</set_lamp>",
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "lines of their own of which the opening tag's is missing",
      "qwen3-coder",
      "<tool_call>\n<function=set_lamp>\n<parameter=room>a\nb\n</parameter>\n<parameter=level>2\n</parameter>\n</function>\n</tool_call>",
      [["set_lamp", { room: "a\nb", level: 2 }]],
    ],
    [
      "the newline before the closing tag of an element with entities",
      "am-xml",
      '<am:tool_call name="set_lamp"><room>hall&#10;\n  </room></am:tool_call>',
      [["set_lamp", { room: "hall\n" }]],
    ],
    [
      "the newline before the closing tag of raw text that is written on lines of its own",
      "tool-tags",
      "<set_lamp>\n<room>hall\n</room>\n</set_lamp>",
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "a newline at the end of text that is written directly between its tags",
      "seed-oss",
      "<seed:tool_call>\n<function=set_lamp>\n<parameter=room>hall\n</parameter>\n</function>\n</seed:tool_call>",
      [["set_lamp", { room: "hall\n" }]],
    ],
    [
      "a call's tag twice, of a tool without arguments",
      "am-xml",
      '<am:tool_call name="ping"><am:tool_call name="ping"></am:tool_call>',
      [
        ["ping", {}],
        ["ping", {}],
      ],
    ],
    [
      "an element without its namespace between the tokens of a call",
      "step3",
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><invoke name="set_lamp"><parameter name="room">hall</parameter></invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "a fence after a name that nothing but its arguments ends",
      "yandex",
      '[TOOL_CALL_START]set_lamp\n```json\n{"room": "hall"}\n```',
      [["set_lamp", { room: "hall" }]],
    ],
    [
      "text of several lines in elements in place of YAML",
      "yaml",
      "<set_lamp>\n<room>\n  a\n    b\n\n</room>\n</set_lamp>",
      [["set_lamp", { room: "  a\n    b\n" }]],
    ],
  ])("%s", (_, protocol, reply, wanted) => expect(readings(reply, protocol)).toEqual(wanted));
});
