/** What the process says when it ends; see docs/reference for each. */
export const exitCode = {
  done: 0,
  findings: 1,
  usage: 2,
  refused: 3,
  bug: 70,
  /** Stopped by a second Ctrl-C: 128 and the number of SIGINT. */
  interrupted: 130,
} as const;
