/** The exit codes. After Ctrl-C the exit code is 130, as in shells. */
export const exitCodes = {
  /** Calls were found; for commands that read no reply: success. */
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
