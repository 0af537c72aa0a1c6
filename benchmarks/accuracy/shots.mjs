// Worked examples, shown before the question as turns of the conversation. Their tools are not those of any question.
const call = (id, name, args) => ({ id, name, arguments: args });

const examples = [
  {
    question: "How long does a train from Lyon to Paris take, with one change at most?",
    calls: [call("shot_1", "train_times", { from: "Lyon", to: "Paris", max_changes: 1 })],
    results: ["2 h 4 min"],
    answer: "It takes 2 hours and 4 minutes.",
  },
  {
    question: "Mix me red with 20 % white, and blue with half white.",
    calls: [
      call("shot_2", "mix_paint", { base: "red", add: "white", share: 0.2 }),
      call("shot_3", "mix_paint", { base: "blue", add: "white", share: 0.5 }),
    ],
    results: ["light red", "light blue"],
    answer: "You have a light red and a light blue.",
  },
  {
    question: "Label the boxes 4, 7 and 9 as fragile.",
    calls: [call("shot_4", "label_boxes", { boxes: [4, 7, 9], label: "fragile", urgent: false })],
    results: ["3 boxes labelled"],
    answer: "The three boxes are labelled.",
  },
];

/** The first so many examples, as messages. */
export const shots = (count) =>
  examples
    .slice(0, count)
    .flatMap(({ question, calls, results, answer }) => [
      { role: "user", content: question },
      { role: "assistant", content: "", toolCalls: calls },
      ...calls.map(({ id, name }, i) => ({ role: "tool", toolCallId: id, name, content: results[i] })),
      { role: "assistant", content: answer },
    ]);
