import type { ModelProfile } from "@langchain/core/language_models/profile";
import type { ContentBlock } from "@langchain/core/messages";

type Block = Record<string, unknown> & { type?: unknown };

/** Which words of a model's profile speak of a block, by how its type begins. */
const KINDS: [RegExp, keyof ModelProfile][] = [
  [/^(?:input_)?image/, "imageInputs"],
  [/^(?:input_)?audio/, "audioInputs"],
  [/^(?:input_)?video/, "videoInputs"],
  [/^(?:input_)?(?:file|document|media)/, "pdfInputs"],
];

const kindOf = (block: Block) => KINDS.find(([type]) => type.test(String(block.type)))?.[1];

/** Whether a block is an image, a sound, a video or a file, in the shape of any provider. */
export const isMedia = (block: Block): boolean => kindOf(block) !== undefined;

// Two signs that Unicode assigns to nobody, around a word that nobody who writes a text can know, and the block's number.
// The word is the same as long as the process lives: a conversation is known again by its texts, marks and all.
const SECRET = Math.random().toString(36).slice(2);
const MARK = new RegExp(`\\uE0F0${SECRET}:(\\d+)\\uE0F1`, "g");

/** The text without marks, for a request that media are not sent with. */
export const withoutMarks = (text: string): string => text.replace(MARK, "").trim();

/**
 * What is not text in a conversation. The prompt is made of text, in which each such block leaves a mark; before it is
 * sent the marks become blocks again.
 */
export class Media {
  readonly #blocks: Block[] = [];

  /** `profile`: what the model says of itself, if it does. */
  constructor(private readonly profile: ModelProfile | undefined) {}

  /** Whether the model says that it takes such a block. */
  isTaken(block: Block): boolean {
    const kind = kindOf(block);
    return kind !== undefined && this.profile?.[kind] === true;
  }

  /** Whether it does not say that it takes none: most models say nothing. */
  mayBeTaken(block: Block): boolean {
    const kind = kindOf(block);
    return kind !== undefined && this.profile?.[kind] !== false;
  }

  mark(block: Block): string {
    return `\uE0F0${SECRET}:${this.#blocks.push(block) - 1}\uE0F1`;
  }

  /** Text as it is, or as blocks where it holds marks. */
  restore(text: string): string | ContentBlock[] {
    if (this.#blocks.length === 0 || !text.includes("\uE0F0")) return text;
    const content = text.split(MARK).flatMap((part, i): Block[] => {
      const block = i % 2 === 1 ? this.#blocks[Number(part)] : undefined;
      if (i % 2 === 1) return block ? [block] : [];
      return part.trim() === "" ? [] : [{ type: "text", text: part }];
    });
    return content as ContentBlock[];
  }
}
