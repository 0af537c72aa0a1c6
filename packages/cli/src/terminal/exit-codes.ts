/** What the process ends with. Who is interrupted by Ctrl-C ends with 130, as shells have it. */
export const exitCodes = {
  /** Calls were found; for commands that find none: it worked. */
  success: 0,
  /** A reply without calls; a server with faults; a probe in which no protocol did better than chance. */
  nothingFound: 1,
  /** A reply with an invalid call. */
  invalidCall: 2,
  /** The command line was wrong (EX_USAGE of sysexits.h). */
  usage: 64,
  /** Anything else (EX_SOFTWARE). */
  failure: 70,
  interrupted: 130,
} as const;
