/** The longest delay of a timer, in milliseconds: with more than 31 bits it fires at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Calls `onTime` once after any number of milliseconds (`Infinity`: never). Returns a function that stops the timer.
 */
export function startTimer(ms: number, onTime: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (left: number) => {
    timer = setTimeout(() => (left > LONGEST ? wait(left - LONGEST) : onTime()), Math.min(left, LONGEST));
  };
  if (ms !== Number.POSITIVE_INFINITY) wait(ms);
  return () => clearTimeout(timer);
}
