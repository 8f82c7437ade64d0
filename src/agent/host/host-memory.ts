/** Memory of this computer, as far as this process may use it. */
import { execFile } from 'node:child_process';
import os from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 2_000;
const MAX_OUTPUT_BYTES = 64 * 1024;

export interface HostMemory {
  readonly totalBytes: number;
  /** Memory that a new process can allocate without swapping. */
  readonly freeBytes: number;
}

/** Within the limits of a container. Never rejects: values that the system does not report come from Node. */
export async function readHostMemory(): Promise<HostMemory> {
  const total = os.totalmem();
  // On Linux this is MemAvailable.
  const free = process.platform === 'darwin' ? await macFreeBytes(os.freemem()) : os.freemem();
  const limit = process.constrainedMemory();
  const limited = limit > 0 && limit < total;
  return {
    totalBytes: limited ? limit : total,
    freeBytes: Math.max(0, Math.min(free, limited ? process.availableMemory() : total)),
  };
}

/** macOS counts as free only what nothing has touched, and gives back what it keeps for files. */
async function macFreeBytes(fallback: number): Promise<number> {
  try {
    const { stdout } = await run('/usr/bin/vm_stat', { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES });
    return parseVmStat(stdout) ?? fallback;
  } catch {
    return fallback;
  }
}

const AVAILABLE = ['Pages free', 'Pages inactive', 'Pages speculative', 'Pages purgeable'];

/** @returns undefined for a text that `vm_stat` would not print */
export function parseVmStat(text: string): number | undefined {
  const pageBytes = Number(/page size of (\d+) bytes/.exec(text)?.[1]);
  const pages = AVAILABLE.map((name) => Number(new RegExp(`^${name}:\\s+(\\d+)\\.`, 'm').exec(text)?.[1] ?? 0));
  const bytes = pageBytes * pages.reduce((sum, count) => sum + count, 0);
  return bytes > 0 ? bytes : undefined;
}
