// A calendar of events that must not overlap.
import { addOnce, byId, text, tool, whole } from "./world.mjs";

const minuteOf = (time) => {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(time) ?? [];
  if (minutes === undefined || hours > 23 || minutes > 59) throw new Error(`"${time}" is no time: write 09:30.`);
  return Number(hours) * 60 + Number(minutes);
};
const checkDate = (date) => {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error(`"${date}" is no date: write 2031-05-12.`);
};
const span = ({ start, minutes }) => [minuteOf(start), minuteOf(start) + minutes];

/** Throws where the event would overlap another one. */
function checkFree({ events }, event) {
  checkDate(event.date);
  const [from, to] = span(event);
  const other = events.find((one) => {
    const [begin, end] = span(one);
    return one !== event && one.date === event.date && begin < to && from < end;
  });
  if (other) throw new Error(`Taken: "${other.title}" is at ${other.start}, for ${other.minutes} minutes.`);
}

const date = text("such as 2031-05-12");
const start = text("such as 09:30");
const id = text("such as ev-7");

export const calendar = {
  start: {
    events: [
      { id: "ev-1", title: "Dentist", date: "2031-05-13", start: "09:00", minutes: 30, guests: [] },
      { id: "ev-2", title: "Lunch with the team", date: "2031-05-13", start: "12:00", minutes: 60, guests: [] },
      { id: "ev-3", title: "Choir", date: "2031-05-14", start: "19:00", minutes: 90, guests: ["Ida"] },
    ],
    daysOff: ["2031-05-01"],
  },
  tools: {
    list_events: tool("The events of a day, with their ids", { date }, (calendar, { date }) => {
      checkDate(date);
      return calendar.events.filter((event) => event.date === date);
    }),
    add_event: tool(
      "Adds an event",
      { title: text(), date, start, minutes: whole("how long it is") },
      (calendar, given) => {
        const event = { id: `ev-${calendar.events.length + 1}`, ...given, guests: [] };
        checkFree(calendar, event);
        calendar.events.push(event);
        return event;
      },
    ),
    move_event: tool("Moves an event", { id, date, start }, (calendar, { id, ...to }) => {
      checkFree(calendar, Object.assign(byId("event", calendar.events, id), to));
    }),
    cancel_event: tool("Cancels an event", { id }, (calendar, { id }) => {
      const event = byId("event", calendar.events, id);
      calendar.events = calendar.events.filter((one) => one !== event);
    }),
    invite: tool("Invites a guest to an event", { id, guest: text("the name") }, (calendar, { id, guest }) => {
      addOnce(byId("event", calendar.events, id).guests, guest);
    }),
    add_day_off: tool("Marks a day as a day off", { date }, (calendar, { date }) => {
      checkDate(date);
      addOnce(calendar.daysOff, date);
    }),
  },
  scenarios: [
    {
      level: 1,
      tools: ["add_day_off"],
      turns: [
        ["Mark 2031-05-20 as a day off.", ["add_day_off", { date: "2031-05-20" }]],
        ["And 2031-05-21 too.", ["add_day_off", { date: "2031-05-21" }]],
      ],
    },
    {
      level: 1,
      tools: ["cancel_event"],
      turns: [["Cancel the event ev-3.", ["cancel_event", { id: "ev-3" }]], ["Thanks!"]],
    },
    {
      level: 2,
      tools: ["add_event", "list_events"],
      turns: [
        [
          "Add an event “Haircut” on 2031-05-15 at 10:00, for 45 minutes.",
          ["add_event", { title: "Haircut", date: "2031-05-15", start: "10:00", minutes: 45 }],
        ],
        [
          "Right after it, an event “Coffee”, for 30 minutes.",
          ["add_event", { title: "Coffee", date: "2031-05-15", start: "10:45", minutes: 30 }],
        ],
      ],
    },
    {
      level: 2,
      tools: ["list_events", "move_event", "cancel_event", "add_day_off"],
      turns: [
        ["What do I have on 2031-05-13?", ["list_events", { date: "2031-05-13" }]],
        [
          "Move the dentist to 2031-05-16, at the same time.",
          ["move_event", { id: "ev-1", date: "2031-05-16", start: "09:00" }],
        ],
        ["And cancel the lunch.", ["cancel_event", { id: "ev-2" }]],
      ],
    },
    {
      level: 2,
      tools: ["list_events", "invite", "add_event"],
      turns: [
        [
          "Invite Mira to the choir on 2031-05-14.",
          ["list_events", { date: "2031-05-14" }],
          ["invite", { id: "ev-3", guest: "Mira" }],
        ],
        ["And Jonas as well.", ["invite", { id: "ev-3", guest: "Jonas" }]],
      ],
    },
    {
      level: 3,
      tools: ["list_events", "add_event", "move_event", "invite"],
      turns: [
        [
          "Add “Call with Ada” on 2031-05-13 at 09:15, for 30 minutes. If that is taken, at 11:00.",
          ["add_event", { title: "Call with Ada", date: "2031-05-13", start: "09:15", minutes: 30 }],
          ["add_event", { title: "Call with Ada", date: "2031-05-13", start: "11:00", minutes: 30 }],
        ],
        ["When does it end?"],
        ["Invite Ada to it.", ["invite", { id: "ev-4", guest: "Ada" }]],
      ],
    },
    {
      level: 3,
      tools: ["list_events", "add_event", "move_event", "cancel_event", "invite"],
      turns: [
        [
          "Today is Monday, 2031-05-12. Move everything I have tomorrow to Thursday, at the same times.",
          ["list_events", { date: "2031-05-13" }],
          ["move_event", { id: "ev-1", date: "2031-05-15", start: "09:00" }],
          ["move_event", { id: "ev-2", date: "2031-05-15", start: "12:00" }],
        ],
        [
          "On Wednesday there is a choir: cancel it.",
          ["list_events", { date: "2031-05-14" }],
          ["cancel_event", { id: "ev-3" }],
        ],
        ["So Wednesday is free now. Great!"],
      ],
    },
  ],
};
