/** A question, the call that answers it, and its result, which is the answer. */
export interface Example {
  id: string;
  question: string;
  name: string;
  args: Record<string, string>;
  result: string;
}

const order = (question: string, number: string, state: string) =>
  example(question, "order_status", { order: number }, `Order ${number} ${state}.`);
const price = (question: string, product: string, euros: number) =>
  example(question, "price", { product }, `A ${product} costs ${euros} euros.`);

/** Worked examples: a model this small learns more from these than from the tools' descriptions. */
export const examples: Example[] = [
  price("How much is a table?", "table", 140),
  order("Where is my order 77?", "77", "is on its way"),
  order("Has order 5310 been sent?", "5310", "was shipped on 20 June"),
  price("What does a mirror cost?", "mirror", 52),
  order("What about order 208?", "208", "is being packed"),
  price("What is the price of the blanket?", "blanket", 19),
];

function example(question: string, name: string, args: Record<string, string>, result: string): Example {
  return { id: `example_${question}`, question, name, args, result };
}
