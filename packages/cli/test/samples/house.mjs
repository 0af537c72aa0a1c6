const degrees = { room: "kitchen", degrees: 19 };
const room = { type: "string", enum: ["kitchen", "bedroom"] };

/** The tools of a house. */
export const tools = [
  {
    name: "read_temperature",
    description: "How warm a room is",
    parameters: { type: "object", properties: { room }, required: ["room"] },
    readOnly: true,
    execute: () => `${degrees.degrees} degrees`,
  },
  {
    name: "set_temperature",
    description: "Heats or cools a room",
    parameters: {
      type: "object",
      properties: { room, degrees: { type: "number", minimum: 5, maximum: 30 } },
      required: ["room", "degrees"],
    },
    execute({ degrees: wanted }) {
      degrees.degrees = wanted;
      return `set to ${wanted} degrees`;
    },
  },
  { name: "wait_forever", description: "Never ends", execute: () => new Promise((r) => setTimeout(r, 600_000)) },
  {
    name: "talk_too_much",
    description: "Prints, and fails later",
    execute() {
      console.log("to standard output");
      Promise.reject(new Error("too late"));
      return "talked";
    },
  },
];
