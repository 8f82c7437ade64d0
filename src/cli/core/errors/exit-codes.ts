/** Exit codes of all commands; scripts may rely on them. A command that Ctrl-C kills ends with 130, as shells report it. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  unreachable: 3,
  notSignedIn: 4,
  notFound: 5,
  noEligibleNode: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
