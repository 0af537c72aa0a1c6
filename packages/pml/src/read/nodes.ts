import { isObject, messageOf } from "@toolingua/core/adapters";
import { isDeeper, whyNoJson } from "../schema/plain-json.js";
import type {
  Keep,
  Marks,
  PmlAttachment,
  PmlCall,
  PmlConversation,
  PmlMemoryItem,
  PmlMessage,
  PmlPart,
  PmlToolOutput,
  PmlTools,
  PmlTurn,
} from "../tree.js";
import { keepLevels, vocabulary } from "../vocabulary.js";
import { type ElementReader, isSpace, type RawElement } from "./elements.js";
import { withExactNumbers } from "./exact-numbers.js";
import type { limitsOf } from "./limits.js";
import { remember } from "./position.js";
import { hasRepeatedKey } from "./repeated-key.js";

/** Builds nodes from elements that were already checked against the vocabulary. */
export class NodeReader {
  constructor(
    private readonly elements: () => ElementReader,
    private readonly limits: ReturnType<typeof limitsOf>,
  ) {}

  memoryItem(element: RawElement): PmlMemoryItem {
    const type = element.name === "summary" ? "summary" : "fact";
    return this.placed(element, { type, ...marksOf(element), text: textOf(element) });
  }

  tools(element: RawElement): PmlTools {
    const { attributes } = element;
    const choice = attributes.get("choice");
    const only = attributes.get("only");
    if (choice !== undefined && only !== undefined) {
      throw this.wrong(element, "<tools> has either choice or only, which names the one tool that must be called.");
    }
    return this.placed(element, {
      ...(only !== undefined && { choice: { name: only } }),
      ...((choice === "auto" || choice === "none" || choice === "required") && { choice }),
      list: inside(element).map((tool) => this.tool(tool)),
    });
  }

  conversation(element: RawElement): Omit<PmlConversation, "turns"> {
    const omitted = element.attributes.get("omitted");
    return {
      ...texts(element, "id", "topic"),
      ...(omitted !== undefined && { omitted: Number(omitted) }),
    };
  }

  turn(element: RawElement): PmlTurn {
    const index = element.attributes.get("index");
    return this.placed(element, {
      ...(index !== undefined && { index: Number(index) }),
      ...texts(element, "id"),
      ...keepOf(element),
      messages: inside(element).map((child) =>
        child.name === "tool_output" ? this.toolOutput(child) : this.message(child),
      ),
    });
  }

  private tool(element: RawElement): PmlTools["list"][number] {
    const text = textOf(element);
    return this.placed(element, {
      name: element.attributes.get("name") ?? "",
      ...texts(element, "description"),
      ...(text.trim() !== "" && { parameters: this.schema(element, text) }),
    });
  }

  private message(element: RawElement): PmlMessage {
    const type = element.name === "system" || element.name === "assistant" ? element.name : "user";
    const parts = element.content.flatMap((part): PmlPart[] => {
      if (typeof part !== "string") return [this.part(part)];
      const text = trimmed(part);
      return text === "" ? [] : [{ type: "text", text }];
    });
    return this.placed(element, { type, ...marksOf(element), ...texts(element, "role", "name"), parts });
  }

  private part(element: RawElement): PmlPart {
    switch (element.name) {
      case "thinking":
        return this.placed(element, { type: "thinking", ...texts(element, "signature"), text: textOf(element) });
      case "attachment":
        return this.attachment(element);
      case "call":
        return this.call(element);
      case "tool_output":
        return this.toolOutput(element);
      case "edit": {
        const file = element.attributes.get("file") ?? "";
        return this.placed(element, { type: "edit", file, ...marksOf(element), text: textOf(element) });
      }
      default:
        return this.placed(element, { type: "text", text: textOf(element) });
    }
  }

  private attachment(element: RawElement): PmlAttachment {
    const { attributes } = element;
    const [content, second] = inside(element);
    if (second) throw this.wrong(second, "An <attachment> has one <content>.");
    const others = [...attributes].filter(([name]) => !KNOWN.includes(name));
    return this.placed(element, {
      type: "attachment",
      kind: attributes.get("type") ?? "",
      ...marksOf(element),
      ...texts(element, "name", "path", "url", "mime"),
      ...(attributes.has("encoding") && { encoding: "base64" }),
      ...(attributes.has("omitted") && { omitted: true }),
      ...(others.length > 0 && { attributes: Object.fromEntries(others) }),
      ...(content && { content: textOf(content) }),
    });
  }

  private call(element: RawElement): PmlCall {
    const attributes = [...element.attributes].filter(([name]) => name !== "id" && name !== "name");
    const given = new Map<string, unknown>(attributes);
    const add = (name: string, value: unknown, from: RawElement) => {
      if (given.has(name)) throw this.wrong(from, `The call has the argument "${name}" twice.`);
      given.set(name, value);
    };
    for (const child of inside(element)) {
      if (child.name === "argument") add(child.attributes.get("name") ?? "", textOf(child), child);
      else for (const [name, value] of Object.entries(this.object(child))) add(name, value, child);
    }
    const name = element.attributes.get("name") ?? "";
    return this.placed(element, { type: "call", ...texts(element, "id"), name, arguments: Object.fromEntries(given) });
  }

  private toolOutput(element: RawElement): PmlToolOutput {
    const children = inside(element);
    const attachments = children.flatMap((child) => (child.name === "attachment" ? [this.attachment(child)] : []));
    const texted = children.filter(({ name }) => name === "text");
    if (texted[1]) throw this.wrong(texted[1], "A <tool_output> has one <text>.");
    if (children.length > 0 && element.content.some((part) => typeof part === "string" && !isSpace(part))) {
      throw this.wrong(element, "Beside an <attachment>, the text of a <tool_output> must be in <text>.");
    }
    const [own] = texted;
    return this.placed(element, {
      type: "tool_output",
      ...texts(element, "call", "name"),
      ...(element.attributes.has("status") && { status: "error" }),
      ...marksOf(element),
      text: own ? textOf(own) : children.length > 0 ? "" : textOf(element),
      ...(attachments.length > 0 && { attachments }),
    });
  }

  private schema(element: RawElement, text: string): boolean | { [keyword: string]: unknown } {
    const value = this.json(element, text);
    if (typeof value === "boolean" || isObject(value)) return value;
    throw this.wrong(element, "The text of <tool> is the JSON Schema of the parameters: an object, true or false.");
  }

  private object(element: RawElement): Record<string, unknown> {
    const text = textOf(element);
    const value = this.json(element, text);
    if (isObject(value)) return withExactNumbers(text, value);
    throw this.wrong(element, `The text of <arguments> is a JSON object, such as {"n": 1}.`);
  }

  private json(element: RawElement, text: string): unknown {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const why = messageOf(error);
      throw this.wrong(element, `The text of <${element.name}> is not JSON: ${why}.`);
    }
    if (isDeeper(value, this.limits.maxDepth)) {
      const message = `The JSON of <${element.name}> is more than ${this.limits.maxDepth} levels deep (maxDepth).`;
      throw this.elements().error("limit", message, element.start);
    }
    if (hasRepeatedKey(text, value)) throw this.wrong(element, `The JSON of <${element.name}> has a key twice.`);
    const why = whyNoJson(value);
    if (why !== undefined) throw this.wrong(element, `The JSON of <${element.name}> ${why}.`);
    return value;
  }

  private wrong(element: RawElement, message: string) {
    return this.elements().error("structure", message, element.start);
  }

  private placed<Node extends object>(element: RawElement, node: Node): Node {
    remember(node, this.elements().rangeOf(element));
    return node;
  }
}

/** Without the white space of XML around it. By index: an expression would try each run of spaces from each of them. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && SPACE.includes(text.charAt(from))) from++;
  while (to > from && SPACE.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

const SPACE = " \t\r\n";

const KNOWN = Object.keys(vocabulary.attachment?.attributes ?? {});

const inside = ({ content }: RawElement): RawElement[] =>
  content.flatMap((part) => (typeof part === "string" ? [] : [part]));

const textOf = ({ content }: RawElement): string => content.filter((part) => typeof part === "string").join("");

/** The attributes among these that the element has. */
function texts<Name extends string>({ attributes }: RawElement, ...names: Name[]): { [N in Name]?: string } {
  const found: { [N in Name]?: string } = {};
  for (const name of names) {
    const value = attributes.get(name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function keepOf({ attributes }: RawElement): { keep?: Keep } {
  const keep = keepLevels.find((level) => level === attributes.get("keep"));
  return keep === undefined ? {} : { keep };
}

const marksOf = (element: RawElement): Marks => ({
  ...texts(element, "id"),
  ...keepOf(element),
  ...texts(element, "alt"),
});
