import { InvalidArgumentError } from 'commander';

/** Kept as text: settings parse flags and environment alike. */
export function parsePort(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('a port is a number from 0 (any free port) to 65535');
  }
  return text;
}
