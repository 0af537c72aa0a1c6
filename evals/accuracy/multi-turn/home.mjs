// A flat with lamps, heating, doors and an alarm.
import { number, oneNamed, oneOf, text, tool } from "./world.mjs";

const turnLamp =
  (to) =>
  (home, { lamp }) => {
    home.lamps[oneNamed("lamp", Object.keys(home.lamps), lamp)] = to;
  };
const turnDoor =
  (to) =>
  (home, { door }) => {
    home.doors[oneNamed("door", Object.keys(home.doors), door)] = to;
  };

export const home = {
  start: {
    lamps: { kitchen: "off", hall: "off", bedroom: "off", desk: "on" },
    degrees: { "living room": 19, bedroom: 17, bathroom: 22 },
    doors: { front: "locked", garage: "locked", balcony: "unlocked" },
    alarm: "off",
  },
  tools: {
    lamp_on: tool("Turns a lamp on", { lamp: text() }, turnLamp("on")),
    lamp_off: tool("Turns a lamp off", { lamp: text() }, turnLamp("off")),
    set_heating: tool(
      "Sets how warm a room is to be",
      { room: text(), degrees: number() },
      (home, { room, degrees }) => {
        if (degrees < 5 || degrees > 25) throw new Error(`${degrees} degrees is out of range: 5 to 25.`);
        home.degrees[oneNamed("room", Object.keys(home.degrees), room)] = degrees;
      },
    ),
    lock_door: tool("Locks a door", { door: text() }, turnDoor("locked")),
    unlock_door: tool("Unlocks a door", { door: text() }, turnDoor("unlocked")),
    set_alarm: tool("Sets the alarm", { mode: oneOf("off", "home", "away") }, (home, { mode }) => {
      const open = Object.keys(home.doors).find((door) => home.doors[door] === "unlocked");
      if (mode === "away" && open) throw new Error(`The ${open} door is unlocked. Lock it first.`);
      home.alarm = mode;
    }),
    status: tool("Tells which lamps are on, which doors are locked and how warm it is", {}, (home) => home),
  },
  // A turn: the user's message, then the calls that carry it out.
  scenarios: [
    {
      level: 1,
      tools: ["lamp_on"],
      turns: [
        ["Turn on the lamp in the kitchen.", ["lamp_on", { lamp: "kitchen" }]],
        ["Now the one in the hall, please.", ["lamp_on", { lamp: "hall" }]],
      ],
    },
    {
      level: 1,
      tools: ["lamp_off"],
      turns: [["Turn off the desk lamp.", ["lamp_off", { lamp: "desk" }]], ["Thank you, that is all."]],
    },
    {
      level: 1,
      tools: ["lamp_on", "lamp_off"],
      turns: [
        ["Turn the bedroom lamp on.", ["lamp_on", { lamp: "bedroom" }]],
        ["And turn the desk lamp off.", ["lamp_off", { lamp: "desk" }]],
        ["Good. What a nice light!"],
      ],
    },
    {
      level: 2,
      tools: ["set_heating", "lamp_on"],
      turns: [
        ["Set the bedroom to 20 degrees.", ["set_heating", { room: "bedroom", degrees: 20 }]],
        ["The living room should be one degree warmer.", ["set_heating", { room: "living room", degrees: 21 }]],
      ],
    },
    {
      level: 2,
      tools: ["status", "lock_door", "unlock_door", "lamp_off"],
      turns: [
        ["Is there a door that is not locked?", ["status", {}]],
        ["Lock that one.", ["lock_door", { door: "balcony" }]],
        ["Good night!"],
      ],
    },
    {
      level: 3,
      tools: ["set_alarm", "lock_door", "unlock_door", "lamp_on", "lamp_off", "status"],
      turns: [
        [
          "I am leaving. Set the alarm to away, and lock whatever is still open.",
          ["set_alarm", { mode: "away" }],
          ["lock_door", { door: "balcony" }],
          ["set_alarm", { mode: "away" }],
        ],
        ["Turn off every lamp that is on.", ["status", {}], ["lamp_off", { lamp: "desk" }]],
      ],
    },
    {
      level: 3,
      tools: ["status", "set_heating", "lamp_on", "set_alarm"],
      turns: [
        [
          "Rooms that are colder than 18 degrees shall have 18.",
          ["status", {}],
          ["set_heating", { room: "bedroom", degrees: 18 }],
        ],
        ["And how warm is the living room?"],
        ["Make it half a degree warmer.", ["set_heating", { room: "living room", degrees: 19.5 }]],
        [
          "The bathroom can have 30 degrees, or as much as is possible.",
          ["set_heating", { room: "bathroom", degrees: 30 }],
          ["set_heating", { room: "bathroom", degrees: 25 }],
        ],
      ],
    },
  ],
};
