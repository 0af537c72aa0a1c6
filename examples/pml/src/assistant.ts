import { generateWithTools, type TextModel, type Tool } from "@toolingua/core";
import { addToPml, type PmlDocument, type PmlPart, type PmlToolOutput, pmlPrompt } from "@toolingua/pml";
import { createTwoFilesPatch } from "diff";

/** What the assistant can do in the editor; an edit is only proposed. */
export function editorTools(
  sources: ReadonlyMap<string, string>,
  propose: (path: string, patch: string) => void,
): Tool[] {
  const text = { type: "string" };
  const contentOf = (path: unknown) =>
    sources.get(String(path)) ??
    new Error(`There is no ${String(path)}. There are: ${[...sources.keys()].join(", ")}.`);
  return [
    {
      name: "read_file",
      description: "Gives the content of a file of the project",
      parameters: { type: "object", properties: { path: text }, required: ["path"] },
      execute: ({ path }) => contentOf(path),
    },
    {
      name: "edit_file",
      description: "Proposes to replace a text in a file",
      parameters: {
        type: "object",
        properties: { path: text, old_text: text, new_text: text },
        required: ["path", "old_text", "new_text"],
      },
      execute: ({ path, old_text: old, new_text: next }) => {
        const content = contentOf(path);
        if (content instanceof Error) return content;
        if (!content.includes(String(old))) return new Error("The file does not hold old_text.");
        const file = String(path);
        propose(
          file,
          createTwoFilesPatch(
            file,
            file,
            content,
            content.replace(String(old), () => String(next)),
            "",
            "",
            { context: 1 },
          ),
        );
        return "Proposed.";
      },
    },
  ];
}

/** Lets the model answer, with as many calls as it makes, and writes down what happens. */
export async function answer(
  given: PmlDocument,
  { model, sources, say }: { model: TextModel; sources: ReadonlyMap<string, string>; say(line: string): void },
): Promise<PmlDocument> {
  const edits: PmlPart[] = [];
  const tools = editorTools(sources, (file, text) => edits.push({ type: "edit", file, text }));
  let document = given;
  for (let step = 0; step < 6; step++) {
    const { text, toolCalls } = await generateWithTools({
      ...{ model, tools, protocol: "laic", onInvalidCall: "retry" },
      ...pmlPrompt(document),
    }).result();
    const calls = toolCalls.map(
      ({ id, name, arguments: args }): PmlPart => ({ type: "call", id, name, arguments: args }),
    );
    const said = text.trim() === "" ? [] : [{ type: "text" as const, text: text.trim() }];
    if (text.trim()) say(text.trim());
    const outputs: PmlToolOutput[] = [];
    for (const { id, name, arguments: args } of toolCalls) {
      const result = await tools.find((tool) => tool.name === name)?.execute(args, { toolCallId: id });
      const isError = result instanceof Error;
      const output = isError ? result.message : String(result);
      say(`${name} ${String(args.path)} → ${isError ? output : `${output.length} characters`}`);
      outputs.push({ type: "tool_output", call: id, ...(isError && { status: "error" }), text: output });
    }
    document = addToPml(document, { type: "assistant", parts: [...said, ...edits.splice(0), ...calls] });
    for (const output of outputs) document = addToPml(document, output);
    if (toolCalls.length === 0) return document;
  }
  return document;
}

/** Stands in for a model, so that the example runs anywhere: it writes what a model would, and is read as one. */
export const scriptedModel: TextModel = async function* ({ messages }) {
  const sent = messages.at(-1)?.content ?? "";
  const asked = sent.split("<user").at(-1) ?? "";
  if (!sent.includes('name="read_file"')) {
    yield "That is in a file that you have not attached, so I read it.\n";
    yield '<call name="RF" path="retry.ts"/>';
  } else if (asked.includes("doubles") && !sent.includes('name="edit_file"')) {
    const [, line = "export "] =
      /\n( *(?:const|let|return|export) [^\n<&]*)\n/.exec(sent.slice(sent.lastIndexOf("<tool_output"))) ?? [];
    yield "I note it where the file begins.\n";
    yield `<call name="EF" path="retry.ts" ot="${line.replaceAll('"', "&quot;")}" nt="// The wait doubles.&#10;${line.replaceAll('"', "&quot;")}"/>`;
  } else if (asked.includes("doubles")) yield "Done: one line, a comment.";
  else yield "In retry.ts: the wait doubles with each attempt, up to `maxDelay`, and `retry-after` is heeded.";
};
