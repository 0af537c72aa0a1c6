// Questions to small models, each with the call that answers it: templates filled by chance, the same for the same
// seed.

const pick = (random, list) => list[Math.floor(random() * list.length)];
const whole = (random, from, to) => from + Math.floor(random() * (to - from + 1));

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const cities = ["Paris", "Oslo", "Lima", "Cairo", "Madrid", "Tokyo", "Boston", "Vienna", "Dublin", "Athens"];
const people = ["Anna", "Ben", "Carla", "David", "Emma", "Felix"];
const rooms = ["kitchen", "bedroom", "office", "hall"];
const currencies = ["EUR", "USD", "JPY", "GBP"];

const text = (description) => ({ type: "string", description });
const integer = (description, minimum, maximum) => ({ type: "integer", description, minimum, maximum });
const tool = (name, description, properties, required = Object.keys(properties)) => ({
  name,
  description,
  parameters: { type: "object", properties, required, additionalProperties: false },
});

const weather = tool("get_weather", "The weather in a city today.", { city: text("Name of the city") });
const forecast = tool("get_forecast", "The weather of the next days.", {
  city: text("Name of the city"),
  days: integer("How many days", 1, 14),
});
const timer = tool("set_timer", "Starts a timer.", { minutes: integer("Length in minutes", 1, 180) });
const alarm = tool("set_alarm", "Wakes the user at an hour of the day.", { hour: integer("Hour of the day", 0, 23) });
const light = tool("set_light", "Turns the light in a room on or off.", {
  room: { enum: rooms },
  on: { type: "boolean", description: "true: on" },
});
const heating = tool("set_heating", "Heats a room.", { room: { enum: rooms }, degrees: integer("Celsius", 5, 30) });
const add = tool("add", "The sum of two numbers.", { a: { type: "integer" }, b: { type: "integer" } });
const multiply = tool("multiply", "The product of two numbers.", { a: { type: "integer" }, b: { type: "integer" } });
const message = tool("send_message", "Sends a text to somebody.", {
  to: text("First name"),
  text: text("What to say"),
});
const call = tool("call_person", "Phones somebody.", { name: text("First name") });
const money = tool("convert_money", "What an amount is worth in another currency.", {
  amount: { type: "integer" },
  from: { enum: currencies },
  to: { enum: currencies },
});
const stock = tool("get_stock_price", "The price of a company's stock.", { company: text("Name of the company") });
const train = tool("find_train", "Trains from one city to another.", { from: text("City"), to: text("City") });
const hotel = tool("find_hotel", "Hotels in a city.", {
  city: text("City"),
  nights: integer("How many nights", 1, 30),
});
const translate = tool("translate", "Translates a word.", {
  word: text("The word"),
  language: { enum: ["French", "German", "Spanish", "Italian"] },
});
const spell = tool("spell", "Spells a word letter by letter.", { word: text("The word") });

/** Sets of tools with their questions: a template gives the question and the call that answers it. */
const topics = [
  {
    tools: [weather, forecast],
    templates: [
      (r, city = pick(r, cities)) => [`What is the weather in ${city}?`, weather, { city }],
      (r, city = pick(r, cities), days = whole(r, 2, 9)) => [
        `Give me the forecast for ${city} for the next ${days} days.`,
        forecast,
        { city, days },
      ],
    ],
  },
  {
    tools: [timer, alarm],
    templates: [
      (r, minutes = whole(r, 2, 90)) => [`Set a timer for ${minutes} minutes.`, timer, { minutes }],
      (r, hour = whole(r, 5, 11)) => [`Wake me up at ${hour} in the morning.`, alarm, { hour }],
    ],
  },
  {
    tools: [light, heating],
    templates: [
      (r, room = pick(r, rooms), on = r() < 0.5) => [
        `Turn the light in the ${room} ${on ? "on" : "off"}.`,
        light,
        { room, on },
      ],
      (r, room = pick(r, rooms), degrees = whole(r, 15, 24)) => [
        `Heat the ${room} to ${degrees} degrees.`,
        heating,
        { room, degrees },
      ],
    ],
  },
  {
    tools: [add, multiply],
    templates: [
      (r, a = whole(r, 1, 99), b = whole(r, 1, 99)) => [`What is ${a} plus ${b}?`, add, { a, b }],
      (r, a = whole(r, 2, 30), b = whole(r, 2, 30)) => [`Multiply ${a} by ${b}.`, multiply, { a, b }],
    ],
  },
  {
    tools: [message, call],
    templates: [
      (r, to = pick(r, people), text = pick(r, ["I am late", "dinner is ready", "happy birthday"])) => [
        `Send ${to} the message "${text}".`,
        message,
        { to, text },
      ],
      (r, name = pick(r, people)) => [`Please phone ${name}.`, call, { name }],
    ],
  },
  {
    tools: [money, stock],
    templates: [
      (r, amount = whole(r, 5, 500), i = whole(r, 0, 3), j = (i + whole(r, 1, 3)) % 4) => [
        `Convert ${amount} ${currencies[i]} to ${currencies[j]}.`,
        money,
        { amount, from: currencies[i], to: currencies[j] },
      ],
      (r, company = pick(r, ["Apple", "Siemens", "Toyota", "Shell"])) => [
        `How much is the stock of ${company}?`,
        stock,
        { company },
      ],
    ],
  },
  {
    tools: [train, hotel],
    templates: [
      (r, i = whole(r, 0, 9), j = (i + whole(r, 1, 9)) % 10) => [
        `I need a train from ${cities[i]} to ${cities[j]}.`,
        train,
        { from: cities[i], to: cities[j] },
      ],
      (r, city = pick(r, cities), nights = whole(r, 2, 7)) => [
        `Find me a hotel in ${city} for ${nights} nights.`,
        hotel,
        { city, nights },
      ],
    ],
  },
  {
    tools: [translate, spell],
    templates: [
      (r, word = pick(r, ["house", "tree", "water", "bread"]), language = pick(r, ["French", "German", "Spanish"])) => [
        `Translate "${word}" into ${language}.`,
        translate,
        { word, language },
      ],
      (r, word = pick(r, ["banana", "rhythm", "window"])) => [`How do you spell ${word}?`, spell, { word }],
    ],
  },
];

/**
 * A number of questions, grouped by topic, so that models process each list of tools once. The prompt contains the
 * tools of the topic and of the next one, with one worked example of each.
 */
export function questions(count, seed = 1) {
  const random = chance(seed);
  const sets = topics.map((topic, i) => [topic, topics[(i + 1) % topics.length]]);
  const shown = sets.map((both) => ({
    tools: both.flatMap(({ tools }) => tools),
    examples: both.flatMap(({ templates }) => templates.map((template) => asked(template, random))),
  }));
  return Array.from({ length: count }, (_, id) => {
    const topic = Math.floor((id * topics.length) / count);
    const { templates } = topics[topic];
    return { id, ...shown[topic], ...asked(templates[id % templates.length], random) };
  });
}

function asked(template, random) {
  const [question, { name }, args] = template(random);
  return { question, name, args };
}
