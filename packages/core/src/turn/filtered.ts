/**
 * Said of the calls in a reply that its provider's content filter ended: no layer runs them, because the filter may have
 * acted on them, or on what the model would have written of them.
 */
export const FILTERED = "The content filter of the model's provider ended the reply, so its calls were not made.";
