import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatGeneration, Generation } from "@langchain/core/outputs";

/** The message that a model generated. Text of a model without messages is the content of one. */
export const generatedMessage = (generation: Generation | ChatGeneration | undefined): BaseMessage =>
  generation && "message" in generation ? generation.message : new AIMessage(generation?.text ?? "");
