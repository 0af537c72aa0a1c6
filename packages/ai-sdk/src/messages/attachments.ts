import type { PartMarks } from "@toolingua/core/adapters";
import type { Message, ProviderOptions } from "../sdk.js";

export type AssistantPart = Extract<Message, { role: "assistant" }>["content"][number];

/**
 * Content of a conversation that is not text: parts that are sent to the model unchanged, and provider options of the
 * part that ends there or of the whole message.
 */
export type Attachment =
  | { kind: "part"; part: AssistantPart }
  | { kind: "part-options" | "message-options"; providerOptions: ProviderOptions };

export type Marks = PartMarks<Attachment>;
