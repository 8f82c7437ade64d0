/** CPU and memory of processes as the operating system reports them (Linux `/proc`). */
import { readdirSync, readFileSync } from 'node:fs';
import { CLOCK_TICKS_PER_SECOND } from './machine-load.js';

export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

interface Stat {
  readonly parent: number;
  readonly cpuTicks: number;
  /** Of its child processes that have ended and that it has waited for. */
  readonly endedTicks: number;
}

const statOf = (pid: number): Stat | undefined => {
  try {
    // The command in parentheses may contain spaces: count fields after the last closing parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      parent: Number(fields[1]),
      cpuTicks: Number(fields[11]) + Number(fields[12]),
      endedTicks: Number(fields[13]) + Number(fields[14]),
    };
  } catch {
    return undefined;
  }
};

/** Of the child processes of a process that have ended. */
export const cpuSecondsOfEnded = (pid: number): number => (statOf(pid)?.endedTicks ?? 0) / CLOCK_TICKS_PER_SECOND;

/** Of all threads of a process, and of its child processes that have ended. */
export const cpuSecondsOf = (pid: number): number =>
  (statOf(pid)?.cpuTicks ?? 0) / CLOCK_TICKS_PER_SECOND + cpuSecondsOfEnded(pid);

const kilobytesIn = (file: string, line: RegExp): number => {
  try {
    return Number(line.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

export const residentBytesOf = (pid: number): number =>
  kilobytesIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB$/m) * 1_024;

/**
 * Of several processes together: a page that some of them share, as those of the program file, is counted once among them (PSS). The sum of
 * their resident memory counts it once for each.
 */
export const proportionalBytesOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + kilobytesIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB$/m) * 1_024, 0);

/** A process and all its descendants: nginx has workers, sshd a process per session. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(Number(name));
    if (stat === undefined) continue;
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
  }
  const tree: number[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    tree.push(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return tree;
}

export function usageOf(roots: readonly number[]): ProcessUsage {
  const pids = new Set(roots.flatMap(processTree));
  let cpuTicks = 0;
  let residentBytes = 0;
  for (const pid of pids) {
    cpuTicks += statOf(pid)?.cpuTicks ?? 0;
    residentBytes += residentBytesOf(pid);
  }
  return { cpuSeconds: cpuTicks / CLOCK_TICKS_PER_SECOND, residentBytes };
}
