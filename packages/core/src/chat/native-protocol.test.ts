import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nativeProtocol, type ProtocolName } from "../index.js";

const goTemplate = (calls: string) => `{{- if .Messages }}
{{- if or .System .Tools }}<|im_start|>system
{{ .System }}
{{- range $.Tools }}
{"type": "function", "function": {{ .Function }}}
{{- end }}<|im_end|>
{{ end }}
{{- range $i, $_ := .Messages }}
{{- if eq .Role "assistant" }}<|im_start|>assistant
{{ if .Content }}{{ .Content }}{{- else if .ToolCalls }}${calls}{{- end }}<|im_end|>
{{ end }}
{{- end }}
{{- end }}`;

const jinja = (calls: string) => `{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}
{%- for message in messages %}<|{{ message.role }}|>{{ message.content }}
{%- for call in message.tool_calls or [] %}${calls}{% endfor %}
{%- endfor %}`;

const pieces = (piece: string) => `{% for k, v in call.function.arguments.items() %}${piece}{% endfor %}`;
const pairs = (prefix: string, end: string) =>
  pieces(`<${prefix}arg_key>{{ k }}</${prefix}arg_key>${end}<${prefix}arg_value>{{ v }}</${prefix}arg_value>${end}`);

describe("the native protocol of a template", () => {
  it.each<[ProtocolName, string]>([
    [
      "hermes",
      `<tool_call>
{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{ end }}</tool_call>`,
    ],
    [
      "llama3-json",
      `{{- range .ToolCalls }}\n{"name": "{{ .Function.Name }}", "parameters": {{ .Function.Arguments }}}{{ end }}`,
    ],
    [
      "mistral-list",
      `[TOOL_CALLS] [
{{- range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{- end }}]`,
    ],
    [
      "deepseek-v31",
      `<｜tool▁calls▁begin｜>{{ range $call := .ToolCalls }}<｜tool▁call▁begin｜>{{ $call.Function.Name }}<｜tool▁sep｜>{{ $call.Function.Arguments }}<｜tool▁call▁end｜>{{ end }}<｜tool▁calls▁end｜>`,
    ],
  ])("is found in a template of Ollama that writes %s", (name, calls) => {
    expect(nativeProtocol(goTemplate(calls))).toBe(name);
  });

  it.each<[ProtocolName, string]>([
    [
      "hermes",
      `<tool_call>\n{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}\n</tool_call>`,
    ],
    ["llama3-json", `{"name": "{{ call.function.name }}", "parameters": {{ call.function.arguments | tojson }}}`],
    [
      "exaone4",
      `<tool_call>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}</tool_call>`,
    ],
    // GLM 5 writes no newlines.
    ["glm45", `<tool_call>{{ call.function.name }}${pairs("", "")}</tool_call>`],
    [
      "k2-horizon",
      `<ifm|tool_calls>\n<ifm|tool_call>{{ call.function.name }}\n${pairs("ifm|", "\n")}</ifm|tool_call>\n</ifm|tool_calls>`,
    ],
    [
      "mimo-v2",
      `<tool_call>\n<function={{ call.function.name }}>\n${pieces("<parameter={{ k }}>{{ v }}</parameter>\n")}</function>\n</tool_call>`,
    ],
  ])("is found in a Jinja template that writes %s", (name, calls) => {
    expect(nativeProtocol(jinja(calls))).toBe(name);
  });

  it("is unknown if the template shows no tools or writes calls in its own way", () => {
    expect(nativeProtocol("{% for message in messages %}{{ message.content }}{% endfor %}")).toBeUndefined();
    expect(
      nativeProtocol(jinja("@@{{ call.function.name }}@@{{ call.function.arguments | tojson }}@@")),
    ).toBeUndefined();
    expect(nativeProtocol("{{ .System }} {{ .Prompt }}")).toBeUndefined();
  });

  it("is unknown for text that is not a template, without an error", () => {
    expect(nativeProtocol("{% for %}")).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => nativeProtocol(text) === undefined),
      { numRuns: 30 },
    );
    const parts = fc.constantFrom(
      "{{",
      "}}",
      "{%",
      "%}",
      " .ToolCalls ",
      "range ",
      "-",
      " end ",
      ".Function.Name",
      "x",
    );
    fc.assert(
      fc.property(fc.array(parts), (list) => nativeProtocol(list.join("")) === undefined),
      { numRuns: 50 },
    );
  });
});
