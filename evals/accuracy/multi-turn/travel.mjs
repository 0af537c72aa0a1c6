// Flights, hotels and bookings, each with a code.
import { byId, text, tool, whole } from "./world.mjs";

/** The code of the next booking: it cannot be guessed. */
const CODES = ["T9LW", "B4XE", "Q1ZD", "M8RU", "H3KP"];
function book(travel, booking) {
  const made = { id: CODES[travel.bookings.length - 2], ...booking };
  travel.bookings.push(made);
  return { code: made.id, ...booking };
}
const date = text("such as 2031-06-02");
const code = text("of the booking");

export const travel = {
  start: {
    flights: [
      { id: "RX10", from: "Oslo", to: "Rome", date: "2031-06-02", departs: "07:10", price: 140, seats: 2 },
      { id: "RX20", from: "Oslo", to: "Rome", date: "2031-06-02", departs: "16:45", price: 95, seats: 6 },
      { id: "LS31", from: "Rome", to: "Lisbon", date: "2031-06-03", departs: "11:20", price: 120, seats: 9 },
      { id: "LS33", from: "Rome", to: "Lisbon", date: "2031-06-03", departs: "20:05", price: 80, seats: 1 },
    ],
    hotels: [
      { id: "Aurelia", city: "Rome", price: 90 },
      { id: "Ponte", city: "Rome", price: 70 },
      { id: "Miramar", city: "Lisbon", price: 60 },
    ],
    bookings: [
      { id: "K7Q2", flight: "RX20", people: 1, checkedIn: false },
      { id: "M3XA", flight: "LS31", people: 1, checkedIn: false },
    ],
  },
  tools: {
    search_flights: tool(
      "The flights of a day",
      { from: text("a city"), to: text("a city"), date },
      (travel, wanted) => {
        const is = (one, key) => one[key].toLowerCase() === wanted[key].toLowerCase();
        const found = travel.flights.filter((one) => is(one, "from") && is(one, "to") && is(one, "date"));
        if (found.length > 0) return found;
        throw new Error(`No flight from ${wanted.from} to ${wanted.to} on ${wanted.date}. Try a change in Rome.`);
      },
    ),
    book_flight: tool("Books a flight", { flight: text("its id"), people: whole() }, (travel, { flight, people }) => {
      const { id, seats } = byId("flight", travel.flights, flight);
      if (people < 1 || people > seats) throw new Error(`${id} has only ${seats} seats left. Nothing was booked.`);
      return book(travel, { flight: id, people, checkedIn: false });
    }),
    search_hotels: tool("The hotels in a city, with the price of a night", { city: text() }, (travel, { city }) =>
      travel.hotels.filter((one) => one.city.toLowerCase() === city.toLowerCase()),
    ),
    book_hotel: tool("Books a hotel", { hotel: text("its id"), date, nights: whole() }, (travel, { hotel, ...stay }) =>
      book(travel, { hotel: byId("hotel", travel.hotels, hotel).id, ...stay }),
    ),
    check_in: tool("Checks in for a flight that was booked", { code }, (travel, { code }) => {
      byId("booking", travel.bookings, code).checkedIn = true;
    }),
    cancel_booking: tool("Cancels a booking", { code }, (travel, { code }) => {
      byId("booking", travel.bookings, code).cancelled = true;
    }),
  },
  scenarios: [
    {
      level: 1,
      tools: ["check_in"],
      turns: [
        ["Check me in for the booking K7Q2.", ["check_in", { code: "K7Q2" }]],
        ["And for M3XA.", ["check_in", { code: "M3XA" }]],
      ],
    },
    {
      level: 1,
      tools: ["cancel_booking"],
      turns: [["Cancel the booking M3XA.", ["cancel_booking", { code: "M3XA" }]], ["Thank you!"]],
    },
    {
      level: 2,
      tools: ["search_flights", "book_flight"],
      turns: [
        [
          "Which flights go from Oslo to Rome on 2031-06-02?",
          ["search_flights", { from: "Oslo", to: "Rome", date: "2031-06-02" }],
        ],
        ["Book the cheaper one, for 2 people.", ["book_flight", { flight: "RX20", people: 2 }]],
      ],
    },
    {
      level: 2,
      tools: ["book_flight", "check_in", "cancel_booking"],
      turns: [
        ["Book the flight LS31 for 2 people.", ["book_flight", { flight: "LS31", people: 2 }]],
        ["Check in for it.", ["check_in", { code: "T9LW" }]],
        ["Thanks! Is it a long flight?"],
      ],
    },
    {
      level: 3,
      tools: ["search_flights", "book_flight", "check_in", "cancel_booking"],
      turns: [
        [
          "Book the flight RX10 for 4 people. If it is full, take RX20.",
          ["book_flight", { flight: "RX10", people: 4 }],
          ["book_flight", { flight: "RX20", people: 4 }],
        ],
        ["Cancel my old booking of that flight, K7Q2.", ["cancel_booking", { code: "K7Q2" }]],
        ["And check in for the new one.", ["check_in", { code: "T9LW" }]],
      ],
    },
    {
      level: 3,
      tools: ["search_flights", "book_flight", "search_hotels", "book_hotel", "cancel_booking"],
      turns: [
        [
          "I want to fly from Oslo to Lisbon on 2031-06-02, alone. If I must change, book only the first flight, the cheapest.",
          ["search_flights", { from: "Oslo", to: "Lisbon", date: "2031-06-02" }],
          ["search_flights", { from: "Oslo", to: "Rome", date: "2031-06-02" }],
          ["book_flight", { flight: "RX20", people: 1 }],
        ],
        [
          "And a hotel there for that night, the cheapest.",
          ["search_hotels", { city: "Rome" }],
          ["book_hotel", { hotel: "Ponte", date: "2031-06-02", nights: 1 }],
        ],
        [
          "On the next day I go on to Lisbon, in the evening.",
          ["search_flights", { from: "Rome", to: "Lisbon", date: "2031-06-03" }],
          ["book_flight", { flight: "LS33", people: 1 }],
        ],
        ["I will not need the hotel: cancel it.", ["cancel_booking", { code: "B4XE" }]],
      ],
    },
  ],
};
