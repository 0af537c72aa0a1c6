import { call, either, type Question, questionKinds } from "./question.js";
import { tools as t } from "./tools.js";

// Written for this probe. Each question has one right answer, which follows from the question and the tools alone.

const oneCall: Omit<Question, "id" | "kind">[] = [
  {
    content: "What is the weather in Oslo?",
    tools: [t.weather],
    calls: [call("get_weather", { city: "Oslo", unit: either(undefined, "celsius", "fahrenheit") })],
  },
  {
    content: "Set a timer for 12 minutes.",
    tools: [t.timer],
    calls: [call("set_timer", { minutes: 12, label: either(undefined, "", "timer", "12 minutes") })],
  },
  {
    content: "Turn on the light in the kitchen.",
    tools: [t.light],
    calls: [call("set_light", { room: "kitchen", on: true })],
  },
  {
    content: "How much is 250 EUR in USD?",
    tools: [t.convert],
    calls: [call("convert_currency", { amount: 250, from: "EUR", to: "USD" })],
  },
  { content: "Where is my order A-2087?", tools: [t.order], calls: [call("get_order_status", { order_id: "A-2087" })] },
  {
    content: "Please put milk, eggs and bread on the shopping list.",
    tools: [t.shopping],
    calls: [call("add_to_shopping_list", { items: either(["milk", "eggs", "bread"]) })],
  },
  {
    content: "Wake me at 6:45 tomorrow morning.",
    tools: [t.alarm],
    calls: [call("set_alarm", { hour: 6, minute: 45 })],
  },
  {
    content: "Make the bedroom 18.5 degrees warm.",
    tools: [t.heating],
    calls: [call("set_heating", { room: "bedroom", degrees: 18.5 })],
  },
  {
    content: "Book a hotel in Lisbon for 3 nights for 2 guests.",
    tools: [t.hotel],
    calls: [call("book_hotel", { city: "Lisbon", nights: 3, guests: 2 })],
  },
  {
    content: "Add Nora to my address book. She lives in Bergen, at Havnegata 7.",
    tools: [t.contact],
    calls: [call("add_contact", { name: "Nora", address: { street: "Havnegata 7", city: "Bergen" } })],
  },
  {
    content: "Find direct flights from Vienna to Rome on 2026-05-04.",
    tools: [t.flights],
    calls: [call("search_flights", { from: "Vienna", to: "Rome", date: "2026-05-04", direct: true })],
  },
  {
    content: 'Translate "Good morning" into Italian.',
    tools: [t.translate],
    calls: [call("translate", { text: "Good morning", language: "Italian" })],
  },
];

const choice: Omit<Question, "id" | "kind">[] = [
  {
    content: "Set the volume to 35 percent.",
    tools: [t.play, t.volume, t.light, t.timer],
    calls: [call("set_volume", { percent: 35 })],
  },
  {
    content: "What will the weather be in Madrid over the next 5 days?",
    tools: [t.weather, t.forecast, t.flights, t.event],
    calls: [call("get_forecast", { city: "Madrid", days: 5 })],
  },
  {
    content: "I want my money back for order B-3310.",
    tools: [t.order, t.refund, t.message, t.shopping],
    calls: [call("refund_order", { order_id: "B-3310" })],
  },
  {
    content: "What does a share of NVDA cost right now?",
    tools: [t.convert, t.stock, t.order, t.weather],
    calls: [call("get_stock_price", { symbol: "NVDA" })],
  },
  {
    content: "It should be 21 degrees in the bathroom.",
    tools: [t.light, t.heating, t.weather, t.forecast],
    calls: [call("set_heating", { room: "bathroom", degrees: 21 })],
  },
  {
    content: 'Play "Africa" by Toto.',
    tools: [t.volume, t.play, t.translate, t.todo],
    calls: [call("play_music", { artist: "Toto", title: "Africa" })],
  },
  {
    content: "Switch off the light in the hall.",
    tools: [t.heating, t.alarm, t.light, t.volume],
    calls: [call("set_light", { room: "hall", on: false })],
  },
  {
    content: "Let a timer ring in 8 minutes.",
    tools: [t.alarm, t.event, t.timer, t.todo],
    calls: [call("set_timer", { minutes: 8, label: either(undefined, "", "timer", "8 minutes") })],
  },
  {
    content: 'Send Emma the message "I am late".',
    tools: [t.contact, t.todo, t.message, t.translate],
    calls: [call("send_message", { to: "Emma", text: "I am late" })],
  },
  {
    content: "Put an event called Dentist into my calendar for 2026-03-18.",
    tools: [t.todo, t.alarm, t.event, t.message, t.timer],
    calls: [call("create_event", { title: "Dentist", date: "2026-03-18", attendees: either(undefined, []) })],
  },
  {
    content: "Find flights from Paris to Athens on 2026-09-12.",
    tools: [t.hotel, t.flights, t.weather, t.forecast],
    calls: [
      call("search_flights", { from: "Paris", to: "Athens", date: "2026-09-12", direct: either(undefined, false) }),
    ],
  },
  {
    content: "I need coffee and rice from the shop, put them on the list.",
    tools: [t.todo, t.order, t.shopping, t.message],
    calls: [call("add_to_shopping_list", { items: either(["coffee", "rice"], ["rice", "coffee"]) })],
  },
];

const parallel: Omit<Question, "id" | "kind">[] = [
  {
    content: "What is the weather in Paris, and what is it in Rome?",
    tools: [t.weather],
    calls: ["Paris", "Rome"].map((city) =>
      call("get_weather", { city, unit: either(undefined, "celsius", "fahrenheit") }),
    ),
  },
  {
    content: "Turn off the light in the kitchen and in the bedroom.",
    tools: [t.light],
    calls: ["kitchen", "bedroom"].map((room) => call("set_light", { room, on: false })),
  },
  {
    content: "Where are my orders A-11 and C-42?",
    tools: [t.order, t.refund],
    calls: ["A-11", "C-42"].map((order_id) => call("get_order_status", { order_id })),
  },
  {
    content: "Make it 20 degrees in the bathroom and turn on the light in the hall.",
    tools: [t.light, t.heating],
    calls: [call("set_heating", { room: "bathroom", degrees: 20 }), call("set_light", { room: "hall", on: true })],
  },
  {
    content: "What are the prices of the shares AAPL, IBM and INTC?",
    tools: [t.stock],
    calls: ["AAPL", "IBM", "INTC"].map((symbol) => call("get_stock_price", { symbol })),
  },
  {
    content: "How much are 100 CHF in EUR, and how much in GBP?",
    tools: [t.convert],
    calls: ["EUR", "GBP"].map((to) => call("convert_currency", { amount: 100, from: "CHF", to })),
  },
  {
    content: "Set timers for 3 minutes and for 10 minutes.",
    tools: [t.timer, t.alarm],
    calls: [3, 10].map((minutes) =>
      call("set_timer", { minutes, label: either(undefined, "", "timer", `${minutes} minutes`) }),
    ),
  },
  {
    content: "Set the volume to 20 percent and set an alarm for 7:30 in the morning.",
    tools: [t.volume, t.alarm, t.timer],
    calls: [call("set_volume", { percent: 20 }), call("set_alarm", { hour: 7, minute: 30 })],
  },
  {
    content: 'Translate "Thank you" into French and into Polish.',
    tools: [t.translate],
    calls: ["French", "Polish"].map((language) => call("translate", { text: "Thank you", language })),
  },
  {
    content: "Book a hotel in Prague for 2 nights for 1 guest, and another one in Vienna for 4 nights for 1 guest.",
    tools: [t.hotel, t.flights],
    calls: [
      call("book_hotel", { city: "Prague", nights: 2, guests: 1 }),
      call("book_hotel", { city: "Vienna", nights: 4, guests: 1 }),
    ],
  },
  {
    content: "What is the forecast for Berlin for 3 days, and for Hamburg for 7 days?",
    tools: [t.weather, t.forecast],
    calls: [call("get_forecast", { city: "Berlin", days: 3 }), call("get_forecast", { city: "Hamburg", days: 7 })],
  },
  {
    content: 'Send "Happy birthday" to Paul and "See you soon" to Mia.',
    tools: [t.message, t.contact],
    calls: [
      call("send_message", { to: "Paul", text: "Happy birthday" }),
      call("send_message", { to: "Mia", text: "See you soon" }),
    ],
  },
];

const noCall: Omit<Question, "id" | "kind">[] = [
  { content: "Hello! How are you?", tools: [t.weather, t.timer], calls: [] },
  { content: "What is the capital of France?", tools: [t.light, t.heating, t.volume], calls: [] },
  { content: "Write one sentence about the sea.", tools: [t.stock, t.convert], calls: [] },
  { content: "What is 2 plus 3?", tools: [t.order, t.refund], calls: [] },
  { content: "Who wrote Romeo and Juliet?", tools: [t.alarm, t.timer, t.todo], calls: [] },
  { content: "Thank you, that was very helpful.", tools: [t.shopping, t.todo], calls: [] },
  { content: "Explain in one sentence what a noun is.", tools: [t.weather, t.stock], calls: [] },
  { content: "Which is larger, the sun or the moon?", tools: [t.light, t.play], calls: [] },
  { content: "Name three colours.", tools: [t.hotel, t.flights, t.convert], calls: [] },
  { content: "What is the opposite of hot?", tools: [t.stock, t.order], calls: [] },
  { content: "How many legs does a spider have?", tools: [t.message, t.contact], calls: [] },
  { content: "Tell me a short joke about cats.", tools: [t.event, t.alarm], calls: [] },
];

const bank = { "one call": oneCall, choice, parallel, "no call": noCall } as const;

/**
 * The first `count` questions; the kinds alternate.
 *
 * @example questions(20, ["one call", "choice"]).length; // 20
 */
export function questions(count: number, kinds = questionKinds): Question[] {
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[i % kinds.length] ?? "one call";
    const number = Math.floor(i / kinds.length);
    const question = bank[kind][number];
    if (!question) throw new RangeError(`There are ${mostQuestions(kinds)} questions, not ${count}.`);
    return { id: `${kind.replace(" ", "-")}-${number + 1}`, kind, ...question };
  });
}

/** The number of available questions. */
export const mostQuestions = (kinds = questionKinds): number =>
  Math.min(...kinds.map((kind) => bank[kind].length)) * kinds.length;
