/** A question with a known answer: the tool that has it, and what its result and the answer must contain. */
export interface Question {
  text: string;
  tool: "get_time" | "calculate" | "read_file";
  expected: RegExp;
}

/** The moment at which the questions below are asked. */
export const moment = new Date("2026-01-15T12:34:00Z");

const time = (text: string, hour: number): Question => {
  const twelve = `0?${hour % 12 || 12}:34 ?${hour < 12 ? "a" : "p"}\\.?m`;
  return {
    text,
    tool: "get_time",
    expected: new RegExp(`(?<!\\d)${String(hour).padStart(2, "0")}:34|(?<!\\d)${twelve}`, "i"),
  };
};
const sum = (text: string, value: string): Question => {
  const digits = [...value].join(",?");
  return { text, tool: "calculate", expected: new RegExp(`(?<![\\d.])${digits}(?!\\d|\\.\\d|,\\d)`) };
};
const file = (text: string, expected: RegExp): Question => ({ text, tool: "read_file", expected });

export const questions: Question[] = [
  time("What time is it in Tokyo?", 21),
  time("What is the time in Paris right now?", 13),
  time("Tell me the current time in New York.", 7),
  time("What time is it in Sydney?", 23),
  time("What's the time in Cairo?", 14),
  time("Can you tell me what time it is in Nairobi?", 15),
  time("What is the local time in Los Angeles?", 4),
  time("Which time is it now in Berlin?", 13),
  time("Time in Singapore, please.", 20),
  time("I need to call someone in Toronto. What time is it there?", 7),
  sum("What is 1234 * 5678?", "7006652"),
  sum("How much is 99999 + 1?", "100000"),
  sum("Calculate (17 + 4) * 3.", "63"),
  sum("What is 144 / 12?", "12"),
  sum("Please work out 2.5 * 8.4.", "21"),
  sum("What is 1000 - 377?", "623"),
  file("Read the file LICENSE.", /MIT License/),
  file("What does the file pnpm-workspace.yaml say?", /packages/),
  file("Show me the file .gitignore.", /node_modules/),
  file("What is in the file package.json?", /toolingua-workspace/),
];
