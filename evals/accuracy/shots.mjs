// Worked examples, shown before the question as turns of the conversation. Their tools are not those of any question.
const call = (id, name, args) => ({ id, name, arguments: args });

const various = [
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

/**
 * Small models copy the values of examples into their calls, so the examples contain only numbers of unrelated things.
 */
const numbers = [
  {
    question: "Turn the dial to 35.",
    calls: [call("shot_1", "turn_dial", { position: 35 })],
    results: ["done"],
    answer: "Done.",
  },
  {
    question: "Set shelf 3 to 14 cm and shelf 8 to 22 cm.",
    calls: [
      call("shot_2", "set_shelf", { shelf: 3, height_cm: 14 }),
      call("shot_3", "set_shelf", { shelf: 8, height_cm: 22 }),
    ],
    results: ["done", "done"],
    answer: "Done.",
  },
];

/** One example that calls, and one that needs no call: for models that are free to answer. */
const mixed = [
  various[0],
  { question: "Who wrote the play Faust?", calls: [], results: [], answer: "Johann Wolfgang von Goethe wrote it." },
];

/** A second pair of these, on other things. */
const further = [
  { question: "Is a whale a fish?", calls: [], results: [], answer: "No, a whale is a mammal." },
  {
    question: "Turn the dial to 35.",
    calls: [call("shot_5", "turn_dial", { position: 35 })],
    results: ["done"],
    answer: "Done.",
  },
];

/** Sets of examples, by the name that a cell has them by. */
export const shotSets = {
  0: [],
  1: various.slice(0, 1),
  3: various,
  "numbers-1": numbers.slice(0, 1),
  "numbers-2": numbers,
  "mixed-2": mixed,
  "answer-first-2": mixed.toReversed(),
  "mixed-4": [...mixed, ...further],
};

/** The examples of a set, as they are written above. */
export const shotTurns = (set) => shotSets[set];

/** The examples of a set, as messages. */
export const shots = (set) =>
  shotSets[set].flatMap(({ question, calls, results, answer }) => [
    { role: "user", content: question },
    ...(calls.length > 0 ? [{ role: "assistant", content: "", toolCalls: calls }] : []),
    ...calls.map(({ id, name }, i) => ({ role: "tool", toolCallId: id, name, content: results[i] })),
    { role: "assistant", content: answer },
  ]);
