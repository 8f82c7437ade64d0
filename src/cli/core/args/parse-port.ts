import { InvalidArgumentError } from 'commander';

/** Returns text, because the settings parse flags and environment variables in the same way. */
export function parsePort(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('a port is a number from 0 (any free port) to 65535');
  }
  return text;
}
