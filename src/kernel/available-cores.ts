import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const CGROUPS = '/sys/fs/cgroup';

/**
 * Cores that this process may use at most: those of the machine, or fewer where a container or a service has a CPU quota, which may be a
 * part of one.
 * @param read a file of the system
 */
export function availableCores(read: (file: string) => string = (file) => readFileSync(file, 'utf8')): number {
  let cores = availableParallelism();
  for (const group of groupsOf(read)) cores = Math.min(cores, quotaOf(read, group));
  return cores;
}

/** The process's own control group and those above it, each with a quota of its own. Version 2, which current systems have. */
function groupsOf(read: (file: string) => string): string[] {
  try {
    const own = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup'))?.[1];
    if (own === undefined) return [];
    const groups: string[] = [];
    for (let group = path.posix.normalize(own); ; group = path.posix.dirname(group)) {
      groups.push(group);
      if (group === '/') return groups;
    }
  } catch {
    return [];
  }
}

/** @returns Infinity without a quota */
function quotaOf(read: (file: string) => string, group: string): number {
  try {
    const [quota, period] = read(path.posix.join(CGROUPS, group, 'cpu.max'))
      .trim()
      .split(' ')
      .map(Number);
    return quota !== undefined && period !== undefined && quota > 0 && period > 0 ? quota / period : Infinity;
  } catch {
    return Infinity;
  }
}
