import { describe, expect, test } from "vitest";
import { readings, tools } from "../../../test/support/readings.js";
import { parseReply } from "../../full/index.js";

const lamp = (room: string) => ["set_lamp", { room }];

describe("a Python call in a list without its parenthesis", () => {
  test.each([
    ["[set_lamp(room='a']", [lamp("a")]],
    ["[set_lamp(room='a', level=2]\n", [["set_lamp", { room: "a", level: 2 }]]],
    ["[set_lamp(room='a'), set_lamp(room='b']", [lamp("a"), lamp("b")]],
    ["[save_tasks(names=['a']]", [["save_tasks", { names: ["a"] }]]],
    ["[f(]", [["f", {}]]],
  ])("ends with the list: %s", (reply, wanted) => {
    expect(readings(reply, "pythonic")).toEqual(wanted);
  });

  test.each([
    ["the bracket closes a value", "[save_tasks(names=['a']", ["truncated"]],
    ["another call follows", "[set_lamp(room='a'], f()]", ["malformed"]],
    ["another argument follows on the next line", "[set_lamp(room='a']\nlevel=2)]", ["malformed"]],
    ["the string may go on", "[set_lamp(room='a']</b> b')]", ["malformed"]],
    ["words follow", "[set_lamp(room='a']\n+ 'b', level=3)]", ["malformed"]],
    ["the string may be open", "[set_lamp(room='a]", ["truncated"]],
  ])("is no call if %s", (_, reply, wanted) => {
    expect(readings(reply, "pythonic")).toEqual(wanted);
  });

  test("goes on if the bracket is superfluous", () => {
    expect(readings("[set_lamp(room='a'])]", "pythonic")).toEqual([lamp("a")]);
    expect(readings("[set_lamp(room='a'], level=2)]", "pythonic")).toEqual([["set_lamp", { room: "a", level: 2 }]]);
  });

  test("ends before the markers of the list", () => {
    expect(readings("<|tool_call_start|>[set_lamp(room='a']<|tool_call_end|>", "lfm2")).toEqual([lamp("a")]);
  });
});

test("a dict in place of a text makes no call", () => {
  for (const args of ["dict(room='a')", "room=dict(a=1)"])
    expect(readings(`[set_lamp(${args})]`, "pythonic")).toEqual(["malformed"]);
});

describe("a Python call that is assigned", () => {
  const between = (...lines: string[]) => `<|tool_call_start|>\n${lines.join("\n")}\n<|tool_call_end|>`;

  test.each([
    ["between markers", between("result = set_lamp(room='a')")],
    ["in a fence between markers", between("```python", "result=set_lamp(room='a')", "```")],
  ])("is a call %s", (_, reply) => {
    expect(readings(reply, "minicpm3")).toEqual([lamp("a")]);
  });

  test("is one of several", () => {
    expect(readings(between("a = set_lamp(room='a')", "b = set_lamp(room='b')"), "minicpm3")).toEqual([
      lamp("a"),
      lamp("b"),
    ]);
  });

  test("has a result that no later call can have as its argument", () => {
    expect(readings(between("a = set_lamp(room='a')", "set_lamp(room=a)"), "minicpm3")).toEqual([
      lamp("a"),
      "malformed",
    ]);
    expect(readings(between("a = set_lamp(room='a')", "set_lamp(room='a')"), "minicpm3")).toEqual([
      lamp("a"),
      lamp("a"),
    ]);
  });

  test.each([
    between("x == set_lamp(room='a')"),
    between("x = y = set_lamp(room='a')"),
    between("x.y = set_lamp(room='a')"),
    between("x = 5", "set_lamp(room='a')"),
  ])("is no call with more than a name before it: %s", (reply) => {
    expect(readings(reply, "minicpm3")).toEqual(["malformed"]);
  });

  test.each([
    "x = set_lamp(room='a')",
    "x = set_lamp(room='a')\nprint(x)",
    "x = set_lamp(room='a')\n\nI will look.",
    "```python\nx = set_lamp(room='a')\nprint(x['b'])\n```",
    "So:\n```python\nx = set_lamp(room='a')\n```",
  ])("is a call without markers only in the format that is Python: %s", (reply) => {
    expect(readings(reply, "pythonic")).toEqual([lamp("a")]);
    expect(readings(reply, "hermes")).toEqual([]);
  });

  test.each([
    "[x = set_lamp(room='a')]",
    "So:\nx = set_lamp(room='a')",
    "x = set_lamp(room='a') sets it.",
    "```python\nx = set_lamp(room='a') + 1\n```",
    "So:\n```python\nx = set_lamp(room='a')\n```\nsets it.",
  ])("is text, or no valid call, after or before other words: %s", (reply) => {
    expect(readings(reply, "pythonic")?.filter((found) => found !== "malformed")).toEqual([]);
  });

  test("without markers too, has a result that no later call can have as its argument", () => {
    expect(readings("a = f()\nset_lamp(room=a)", "pythonic")).toEqual([["f", {}], "malformed"]);
  });
});

describe("a variable that a line of text assigns", () => {
  test.each(["q = 'attic'\n", "q='attic'\n", "First.\n  q = 1 + 2\n", "```python\nq = 1\n```\n"])(
    "is no value of a later argument, and the call is invalid: %j",
    (before) => {
      for (const call of ["set_lamp(room=q)", "[set_lamp(room=q)]"])
        expect(readings(before + call, "pythonic")).toEqual(["malformed"]);
    },
  );

  test("is none between markers either", () => {
    const marked = "<|tool_call_start|>[set_lamp(room=q)]<|tool_call_end|>";
    expect(readings(`q = 'attic'\n${marked}`, "lfm2")).toEqual(["malformed"]);
    expect(readings(marked, "lfm2")).toEqual([lamp("q")]);
  });

  test.each(["q == 1\n", "A q = 1\n", "Q = 1\n", "qq = 1\n", ""])("is not assigned by another text: %j", (before) => {
    expect(readings(`${before}[set_lamp(room=q)]`, "pythonic")).toEqual([lamp("q")]);
  });
});

describe("code that Gemma writes to run it", () => {
  const code = (...lines: string[]) => `\`\`\`tool_code\n${lines.join("\n")}\n\`\`\``;

  test.each<[string, unknown[]]>([
    [code("x = set_lamp(room='a')"), [lamp("a")]],
    [code("x = set_lamp(room='a')", "print(x)"), [lamp("a")]],
    [code("x = set_lamp(room='a')", "y = await set_lamp(room='b')", "print( x )", "print(y)"), [lamp("a"), lamp("b")]],
    [`${code("print(set_lamp(room='a'))")}\n\`\`\`tool_output\non\n\`\`\`\nIt is on.`, [lamp("a")]],
  ])("may assign the result of a call and print it: %s", (reply, wanted) => {
    for (const protocol of ["pythonic", "gemma4", "xml"] as const) expect(readings(reply, protocol)).toEqual(wanted);
  });

  test.each([
    code("x == set_lamp(room='a')"),
    code("x = 5", "set_lamp(room='a')"),
    `So:\n${code("x == set_lamp(room='a')")}\nis how.`,
  ])("is text with more before its call, or with words after it: %s", (reply) => {
    expect(readings(reply, "pythonic")).toEqual([]);
  });

  test("is followed by no answer after a result that the model made up", () => {
    const text = `${code("set_lamp(room='a')")}\n\`\`\`tool_output\non\n\`\`\`\nIt is on.`;
    expect(parseReply(text, { protocol: "pythonic", tools: [{ name: "set_lamp" }] }).text).toBe("");
  });
});

test("a call that is awaited is a call, unless it is part of an expression", () => {
  expect(readings("await set_lamp(room='a')", "pythonic")).toEqual([lamp("a")]);
  expect(readings("(await set_lamp(room='a')) or x", "pythonic")).toEqual([]);
  expect(readings("One can await set_lamp(room='a')", "pythonic")).toEqual([]);
});

describe("a comment on the line of a call", () => {
  test.each([
    ["set_lamp(room='a') # first\nset_lamp(room='b') # second", [lamp("a"), lamp("b")]],
    ["[set_lamp(room='a')] # first\n[set_lamp(room='b')] # second\n", [lamp("a"), lamp("b")]],
    ["[set_lamp(room='a')] #", [lamp("a")]],
  ])("is skipped where the reply begins with the call: %s", (reply, wanted) => {
    expect(readings(reply, "pythonic")).toEqual(wanted);
  });

  test.each([
    "set_lamp(room='a') # or set_lamp(room='b')",
    "set_lamp(room='a') # or [now]",
    "So:\nset_lamp(room='a') # an example",
  ])("may be another call, or say that it is an example: %s", (reply) => {
    expect(readings(reply, "pythonic")).toEqual([]);
  });
});

describe("the rest of a program in a fence of code that runs", () => {
  const fence = "```";
  test.each(["print(x['b'])", "print(x, 1)", "if x:\n  f()", "for y in x:\n  print(y)"])(
    "is not shown, and its calls do not run: %s",
    (rest) => {
      const reply = `${fence}tool_code\nx = set_lamp(room='a')\n${rest}\n${fence}\nI will wait.`;
      expect(readings(reply, "pythonic")).toEqual([lamp("a")]);
      const { text } = parseReply(reply, { protocol: "pythonic", tools });
      expect(text).toBe("I will wait.");
    },
  );
});

test.each([
  "if dark:\n    set_lamp(room='a')\nelse:\n    set_lamp(room='b')",
  "try:\n    set_lamp(room='a')\nexcept Exception:\n    set_lamp(room='b')",
  "while True:\n    set_lamp(room='a')",
  "for x in y: set_lamp(room='a')",
  "x = lambda: set_lamp(room='a')",
])("a call between markers in a statement does not run: %s", (code) => {
  for (const [protocol, open, close] of [
    ["olmo3", "<function_calls>\n", "\n</function_calls>"],
    ["lfm2", "<|tool_call_start|>", "<|tool_call_end|>"],
    ["minicpm3", "<|tool_call_start|>\n", "\n<|tool_call_end|>"],
  ] as const) {
    const found = readings(open + code + close, protocol);
    expect(found?.length).toBeGreaterThan(0);
    expect(found?.every((reading) => reading === "malformed")).toBe(true);
  }
});
