import { describe, expect, it } from "vitest";
import { parseReply } from "../../index.js";

const tools = [
  { name: "run", parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] } },
];
const callsOf = (reply: string, protocol: "auto" | "hermes" | "xml" | "pythonic") =>
  parseReply(reply, { tools, protocol }).toolCalls.length;

describe("code in a fence that is the whole reply", () => {
  it.each([
    "bash",
    "sh",
    "shell",
    "zsh",
    "powershell",
    "js",
    "TypeScript",
    "ruby",
    "php",
    "go",
    "java",
    "cpp",
    "pwsh",
    "cmd",
    "kt",
    "elixir",
    "f#",
  ])("of %s is no call", (language) => {
    for (const protocol of ["auto", "hermes", "xml"] as const)
      for (const code of ['run("ls")', 'run(command="ls")', '[run(command="ls")]'])
        expect([protocol, code, callsOf(`\`\`\`${language}\n${code}\n\`\`\``, protocol)]).toEqual([protocol, code, 0]);
  });

  it.each(["", "python", "py", "json", "tool", "tool_code", "text", "xml", "function_calls", "Action"])(
    "of %j may be a call",
    (language) => {
      for (const protocol of ["auto", "hermes", "xml", "pythonic"] as const)
        expect([protocol, callsOf(`\`\`\`${language}\n[run(command="ls")]\n\`\`\``, protocol)]).toEqual([protocol, 1]);
    },
  );

  it("does not matter for JSON", () => {
    const json = '{"name": "run", "arguments": {"command": "ls"}}';
    expect(callsOf(`\`\`\`javascript\n${json}\n\`\`\``, "hermes")).toBe(1);
  });
});
