import { ToolSpec, tool } from "@toolingua/tools";

const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;

export class Notes extends ToolSpec {
  private readonly notes: string[] = [];

  @tool({ description: "Adds a note", schema })
  add({ text }: { text: string }) {
    return this.notes.push(text);
  }
}

export class Clock {
  @tool({ description: "The time" })
  now() {
    return "12:00";
  }
}

export const echo = tool("echo", { description: "Repeats a text", schema }, ({ text }) => text);

export const helper = (value: number) => value;
