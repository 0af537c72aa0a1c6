import { reasoningSpansOf } from "../prompt/markers.js";
import { everyProtocol } from "../protocols/index.js";

const markers: readonly string[] = reasoningSpansOf(everyProtocol).map(({ open }) => open);

/**
 * The end of a prompt in which a chat template begins the model's reasoning, as those of QwQ and DeepSeek R1 do: the reply
 * continues it. Empty if it does not.
 *
 * @example openedReasoning("<|im_start|>assistant\n<think>\n"); // "<think>\n"
 */
export function openedReasoning(prompt: string): string {
  const end = prompt.trimEnd();
  const opener = markers.find((marker) => end.endsWith(marker.trim()));
  return opener === undefined ? "" : prompt.slice(end.length - opener.trim().length);
}
