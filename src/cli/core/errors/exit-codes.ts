/** Exit codes of all commands; part of the public interface. 130 after Ctrl-C is the convention of shells. */
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
