import type { ModelProfile } from "@langchain/core/language_models/profile";
import type { ContentBlock } from "@langchain/core/messages";
import { PartMarks, withEscapedTexts } from "@toolingua/core/adapters";

type Block = Record<string, unknown> & { type?: unknown };

/** The key of a model's profile for a block, by the beginning of the block's type. */
const KINDS: [RegExp, keyof ModelProfile][] = [
  [/^(?:input_)?image/, "imageInputs"],
  [/^(?:input_)?audio/, "audioInputs"],
  [/^(?:input_)?video/, "videoInputs"],
  [/^(?:input_)?(?:file|document|media)/, "pdfInputs"],
];

/** The profile of a model that accepts media of every kind. */
export const EVERY_INPUT: ModelProfile = Object.fromEntries(KINDS.map(([, kind]) => [kind, true]));

const kindOf = (block: Block) => KINDS.find(([type]) => type.test(String(block.type)))?.[1];

/** Whether a block is an image, audio, a video or a file, in any provider's shape. */
export const isMedia = (block: Block): boolean => kindOf(block) !== undefined;

/**
 * The media blocks of a conversation. The prompt is built as text with a mark for each block; before sending, the marks
 * are replaced by the blocks.
 */
export class Media {
  readonly #marks = new PartMarks<Block>();
  #texts: string[] = [];

  /** `profile`: the model's profile, if it has one. */
  constructor(private readonly profile: ModelProfile | undefined) {}

  /** Whether the profile includes such a block. */
  isTaken(block: Block): boolean {
    const kind = kindOf(block);
    return kind !== undefined && this.profile?.[kind] === true;
  }

  /** Whether the profile does not exclude such a block: most models have no profile. */
  mayBeTaken(block: Block): boolean {
    const kind = kindOf(block);
    return kind !== undefined && this.profile?.[kind] !== false;
  }

  mark(block: Block): string {
    return this.#marks.mark(withEscapedTexts(block, this.#texts));
  }

  /** The names and texts in the blocks that were marked since this was last called: the model sees them, too. */
  takeTexts(): string[] {
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }

  /** The text, or a list of blocks if it contains marks. */
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
