import { readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { printable } from '../../../kernel/printable.js';
import { isLoopbackHost } from '../../core/api/relay-address.js';
import { cutMiddle } from '../../core/output/fit-columns.js';

const MOST_NAMES = 5;
const LONGEST_NAME = 24;

const recordShape = z.object({
  host: z.string(),
  /** Absent: only free ports were asked for. */
  port: z.number().int().min(1).max(65_535).optional(),
  /** The last address that other computers could reach, which is where they joined. */
  network: z.object({ host: z.string(), port: z.number().int() }).optional(),
});

/**
 * Where `ferry up` listened the last time. Clients and joined computers dial that address, so a start that is told no other one uses it
 * again.
 */
export type ListenRecord = z.output<typeof recordShape>;

interface Listening {
  readonly host: string;
  readonly port: number;
}

const fileOf = (directory: string): string => path.join(directory, 'listen.json');

/** Undefined before the first start; a file that is damaged is as if there were none. */
export async function readListenRecord(directory: string): Promise<ListenRecord | undefined> {
  try {
    return recordShape.safeParse(JSON.parse(await readFile(fileOf(directory), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** @param requestedFor the port of the settings; 0: a free one, which the next start need not take */
export async function keepListenRecord(
  directory: string,
  { host, port }: Listening,
  requestedFor: number,
  earlier: ListenRecord | undefined,
): Promise<void> {
  const network = isOwnComputer(host) ? earlier?.network : { host, port };
  const kept = requestedFor === 0 ? earlier?.port : port;
  const record: ListenRecord = {
    host,
    ...(kept !== undefined && { port: kept }),
    ...(network !== undefined && { network }),
  };
  // Whole or not at all: a start without it takes another address, where no computer looks for it.
  await writeFileAtomic(fileOf(directory), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** The address of earlier starts that computers have joined at, where this start does not serve it; undefined where it does. */
export function lostAddress(earlier: ListenRecord | undefined, { host, port }: Listening): Listening | undefined {
  const network = earlier?.network;
  if (network === undefined) return undefined;
  return isOwnComputer(host) || network.port !== port ? network : undefined;
}

export const isOwnComputer = (host: string): boolean => isLoopbackHost(host.includes(':') ? `[${host}]` : host);

/** Two lines about computers that joined at an address which is served no more; none where there is no such computer. */
export function strandedLines(
  earlier: ListenRecord | undefined,
  now: Listening,
  others: readonly string[],
): readonly string[] {
  const lost = lostAddress(earlier, now);
  if (lost === undefined || others.length === 0) return [];
  const names = others.slice(0, MOST_NAMES).map((name) => cutMiddle(printable(name), LONGEST_NAME));
  const more = others.length > MOST_NAMES ? ` and ${String(others.length - MOST_NAMES)} more` : '';
  return [
    `Not reachable for computers that joined on port ${String(lost.port)}: ${names.join(', ')}${more}`,
    `  try: ferry up --host ${lost.host} --port ${String(lost.port)}`,
  ];
}
