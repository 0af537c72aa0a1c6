/** Tools that would end a chat without a word. */
export const tools = [
  { name: "wait_in_vain", description: "Waits for nothing", execute: () => new Promise(() => {}) },
  { name: "leave", description: "Ends the process", execute: () => process.exit(3) },
  {
    name: "leave_later",
    description: "Ends the process after its call",
    execute() {
      setImmediate(() => process.exit(3));
      return "soon";
    },
  },
];
