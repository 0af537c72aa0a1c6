const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const two = (value: number) => String(value).padStart(2, "0");

/**
 * Formats a date in local time as Python's `strftime` does in English, for the codes that chat templates use.
 * Other codes stay as they are.
 *
 * @example strftime(new Date(2024, 6, 26), "%d %b %Y"); // "26 Jul 2024"
 */
export function strftime(date: Date, format: string): string {
  const codes: Record<string, () => string> = {
    Y: () => String(date.getFullYear()),
    y: () => two(date.getFullYear() % 100),
    m: () => two(date.getMonth() + 1),
    B: () => months[date.getMonth()]!,
    b: () => months[date.getMonth()]!.slice(0, 3),
    d: () => two(date.getDate()),
    e: () => String(date.getDate()).padStart(2),
    A: () => days[date.getDay()]!,
    a: () => days[date.getDay()]!.slice(0, 3),
    H: () => two(date.getHours()),
    I: () => two(date.getHours() % 12 || 12),
    p: () => (date.getHours() < 12 ? "AM" : "PM"),
    M: () => two(date.getMinutes()),
    S: () => two(date.getSeconds()),
    "%": () => "%",
  };
  return format.replace(/%(-?)([A-Za-z%])/g, (code, bare: string, letter: string) => {
    const text = codes[letter]?.() ?? code;
    return bare === "" ? text : text.replace(/^0(?=.)/, "");
  });
}
