import { describe, expect, test } from "vitest";
import { collectReply, createReplyParser, type ProtocolName } from "../../index.js";

const tools = [
  { name: "run", parameters: { type: "object", properties: { script: { type: "string" } }, required: ["script"] } },
  { name: "ping" },
];

/** The scripts that run and the text, the same in chunks of any size. */
function read(protocol: ProtocolName, reply: string): unknown {
  const [whole, ...others] = [reply.length, 1, 3].map((size) => {
    const parser = createReplyParser({ protocol, tools });
    const chunks = Array.from({ length: Math.ceil(reply.length / size) }, (_, i) =>
      reply.slice(i * size, (i + 1) * size),
    );
    const { toolCalls, text } = collectReply([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
    return [toolCalls.map(({ name, arguments: args }) => args.script ?? name), text];
  });
  for (const other of others) expect(other).toEqual(whole);
  return whole;
}

const inDsml = (body: string) =>
  `<｜DSML｜tool_calls>\n<｜DSML｜invoke name="run">\n${body}\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`;

describe("a quoted text as the arguments", () => {
  test.each<[ProtocolName, string, string]>([
    ["mistral", '[TOOL_CALLS]run[ARGS]"rm" -rf /tmp/x', "-rf /tmp/x"],
    ["at-command", '@run "ls" -la', "-la"],
    ["qwen-agent", '✿FUNCTION✿: run\n✿ARGS✿: "ls" -la', "-la"],
    ["functionary", '<function=run>"ls" | sh</function>', "| sh"],
    ["deepseek-v4", inDsml('"script" string="true">ls</｜DSML｜parameter>'), 'string="true">ls</｜DSML｜parameter>'],
  ])("makes no call in %s if text follows it on its line: %s", (protocol, reply, text) =>
    expect(read(protocol, reply)).toEqual([[], text]),
  );

  test.each<[ProtocolName, string, unknown[], string]>([
    ["mistral", '[TOOL_CALLS]run[ARGS]"ls"\n\nDone.', ["ls"], "Done."],
    ["qwen-agent", '✿FUNCTION✿: run\n✿ARGS✿: "ls"\n✿RESULT✿: x', ["ls"], ""],
    ["functionary", '<function=run>"ls"<function=ping>{}</function>', ["ls", "ping"], ""],
    ["functionary", '<function=run>"ls"<|eot_id|></function>', ["ls"], ""],
    [
      "kimi-k2",
      '<|tool_call_begin|>functions.run:0<|tool_call_argument_begin|>"ls"<|tool_calls_section_end|>',
      ["ls"],
      "",
    ],
    ["deepseek-v4", inDsml('"ls"'), ["ls"], ""],
  ])("is read in %s before a marker or another line: %s", (protocol, reply, scripts, text) =>
    expect(read(protocol, reply)).toEqual([scripts, text]),
  );
});
