// Additional instructions, and their place: each is a way of changing the messages that the product sends. The best
// become the product's own.

/** The system message, which contains the tools, precedes the question, and the conversation precedes both. */
function toolsLast(messages) {
  const [system, ...turns] = messages;
  if (system.role !== "system") return messages;
  return withLast(turns, (question) => `${system.content}\n\n${question}`);
}

const says = (sentence) => (messages) => withLast(messages, (question) => `${question}\n\n${sentence}`);

const withLast = (messages, change) => [
  ...messages.slice(0, -1),
  { ...messages.at(-1), content: change(messages.at(-1).content) },
];

export const wordings = {
  plain: (messages) => messages,
  "tools-last": toolsLast,
  "my-words": says("Take the values from my words. Leave out what I did not say."),
  "a-call": says("Answer this with a tool call."),
};
