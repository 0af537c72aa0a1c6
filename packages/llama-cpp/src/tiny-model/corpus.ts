import { seededRandom } from "./random.js";

type Arguments = Record<string, unknown>;

/**
 * Short texts that resemble the output of a tool-calling model: calls in several formats, with and without text around
 * them. The tiny tokenizer and the bigram model learn from these. The same seed gives the same texts.
 */
export function toolCallCorpus(seed = 1, size = 400): string[] {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(options: readonly T[]): T => options[below(options.length)]!;

  const zones = ["Asia/Tokyo", "Europe/Berlin", "America/New_York", "Africa/Cairo", "UTC"];
  const cities = ["Tokyo", "Lisbon", "Kraków", "Montréal", "Malmö", "北京", "Nairobi"];
  const files = ["README.md", "package.json", "src/index.ts", "docs/guide.md"];
  const words = ["hello", "open the window", "two eggs", "the third chapter", "naïve café", "все хорошо", "🙂 fine"];
  const calls: (() => [string, Arguments])[] = [
    () => ["get_time", { time_zone: pick(zones) }],
    () => ["calculate", { expression: `${below(100)} ${pick(["+", "-", "*", "/"])} ${1 + below(99)}` }],
    () => ["read_file", { path: pick(files), lines: 1 + below(40) }],
    () => ["get_weather", { city: pick(cities), days: 1 + below(7), metric: random() < 0.5 }],
    () => ["remember", { text: pick(words), tags: [pick(words)], due: null, weight: below(1000) / 8 }],
  ];
  const sentences = [
    "I will look that up.",
    "One moment, please.",
    "The answer is 42.",
    "It is half past nine in the morning.",
    "Here is what I found in the file:",
    "Could you tell me which city you mean?",
  ];
  const json = (value: unknown) => (random() < 0.5 ? JSON.stringify(value) : JSON.stringify(value, null, 1));
  const elements = (args: Arguments) =>
    Object.entries(args)
      .map(([key, value]) => `<${key}>${typeof value === "string" ? value : JSON.stringify(value)}</${key}>`)
      .join("");
  const written = ([name, args]: [string, Arguments]): string =>
    pick([
      () => `<tool_call>\n${json({ name, arguments: args })}\n</tool_call>`,
      () => `<tool_call><name>${name}</name><arguments>${json(args)}</arguments></tool_call>`,
      () => `<am:tool_call name="${name}">${elements(args)}</am:tool_call>`,
      () => json({ name, arguments: args }),
    ])();

  return Array.from({ length: size }, () => {
    const call = written(pick(calls)());
    return pick([() => call, () => `${pick(sentences)}\n${call}`, () => pick(sentences), () => `${call}\n${call}`])();
  });
}
