import { describe, expect, test } from "vitest";
import { createReplyParser, type ReplyEvent, type ReplyParserOptions } from "../src/index.js";
import { Input } from "../src/notation/input.js";
import { protocols } from "../src/protocols/index.js";
import { ToolTable } from "../src/reply/arguments/tool-table.js";
import { plainCall } from "../src/reply/calls/plain-call.js";
import { compile } from "../src/reply/opening/compile.js";
import { Random } from "./fuzz/random.js";
import { ReplyMaker } from "./fuzz/reply.js";
import { scenariosOf } from "./fuzz/scenarios.js";

const tools = [
  {
    name: "get_weather",
    parameters: {
      type: "object" as const,
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    },
  },
];
const call = { name: "get_weather", arguments: { city: "Oslo", days: 3 } };

/** What is read of a text that begins with an opener. */
function read(name: keyof typeof protocols, text: string) {
  const { forms, bodies } = compile(protocols, protocols[name], "own");
  const input = new Input();
  input.push(text);
  const found = plainCall(input, forms, { tools: ToolTable.of(tools), bodies });
  return (
    found && { name: found.name, arguments: found.arguments, json: found.json(), fits: found.fits, end: found.end }
  );
}

/**
 * The events of a reply that is pushed as one, with adjacent texts joined. Calls that are compared with untrusted text are
 * read part by part.
 */
function events(text: string, options: ReplyParserOptions): ReplyEvent[] {
  let next = 0;
  const parser = createReplyParser({ ...options, generateId: () => `call_${next++}` });
  const joined: ReplyEvent[] = [];
  for (const event of [...parser.push(text), ...parser.end()]) {
    const last = joined.at(-1);
    const goesOn = last?.type === event.type && reasonOf(last) === reasonOf(event);
    if (goesOn && "text" in last && "text" in event) last.text += event.text;
    else joined.push(event);
  }
  return joined;
}

const reasonOf = (event: ReplyEvent) => ("reason" in event ? event.reason : undefined);

describe("a call that is complete and as its format declares it", () => {
  test.each(["hermes", "qwen3-coder", "granite4", "seed-oss", "longcat", "dots", "ernie"] as const)(
    "is read at once: %s",
    (name) => {
      const text = protocols[name].renderCalls([call], { tools });
      const json = JSON.stringify(call.arguments);
      expect(read(name, `${text} and more`)).toEqual({ ...call, json, fits: true, end: text.trimEnd().length });
    },
  );

  const xml = "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>";
  test.each<[string, string]>([
    ["its end is missing", xml.slice(0, -1)],
    ["a marker is missing", xml.replace("</function>\n", "")],
    ["a marker is spelled differently", xml.replace("<function=", "<function =")],
    ["a comment is between its parts", xml.replace("</function>", "<!-- done --></function>")],
    ["text is between its parts", xml.replace("</function>", "so </function>")],
    ["its tool is unknown", xml.replace("get_weather", "get_time")],
    ["an argument needs coercion", xml.replace("city", "City")],
  ])("is left to the reader if %s", (_, text) => expect(read("qwen3-coder", text)).toBeUndefined());
});

test("a reply reads the same whether its calls are read at once or part by part, in every format", () => {
  const maker = new ReplyMaker(scenariosOf(20261124));
  for (let run = 0; run < 4000; run++) {
    const { text, options } = maker.make(new Random(20261124, run));
    const partByPart = events(text, { ...options, untrusted: ["Nobody writes this."] });
    expect(events(text, options), JSON.stringify({ text, options })).toEqual(partByPart);
  }
});
