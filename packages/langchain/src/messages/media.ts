import type { ModelProfile } from "@langchain/core/language_models/profile";
import type { ContentBlock } from "@langchain/core/messages";
import { PartMarks } from "@toolingua/core";

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

/**
 * What is not text in a conversation. The prompt is made of text, in which each such block leaves a mark; before it is
 * sent the marks become blocks again.
 */
export class Media {
  readonly #marks = new PartMarks<Block>();

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
    return this.#marks.mark(block);
  }

  /** Text as it is, or as blocks where it holds marks. */
  restore(text: string): string | ContentBlock[] {
    const pieces = this.#marks.split(text);
    if (pieces.every((piece) => typeof piece === "string")) return text;
    const content = pieces.flatMap((piece): Block[] => {
      if (typeof piece !== "string") return [piece];
      return piece.trim() === "" ? [] : [{ type: "text", text: piece }];
    });
    return content as ContentBlock[];
  }
}
